import { expect, test } from 'vitest'
import { DRIVERS, type Provider } from '../../adapters/providers/drivers.ts'
import type { ConfigProblem } from '../config-error.ts'
import { readProvidersFile } from './providers-file.ts'

test.each([
  ['chat', 'counts_tokens', 'Sluice counts the tokens of this model itself.'],
  ['messages', 'compacts', 'Sluice asks this model for a summary itself.'],
])('the %s dialect refuses the setting %s', (dialect, field, instead) => {
  const faults: ConfigProblem[] = []
  const providers = readProvidersFile<Provider>({
    fileName: 'sluice.yaml',
    source: `providers: { t: { driver: text, base_url: https://t.example, api_key: k, models: { m: { dialect: ${dialect}, ${field}: true } } } }`,
    environment: {},
    drivers: DRIVERS,
    report: (fault) => faults.push(fault),
  })
  expect(providers).toEqual([])
  expect(faults).toEqual([
    {
      setting: expect.stringMatching(
        new RegExp(`^sluice\\.yaml:1:\\d+ providers\\.t\\.models\\.m\\.${field}$`),
      ),
      wrong: `the ${dialect} dialect has no call for it`,
      fix: `Leave it out: ${instead}`,
    },
  ])
})
