import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

test('compose.yaml gives the gateway its providers and their keys', () => {
  const { services, configs } = parse(readFileSync(new URL('../../../compose.yaml', import.meta.url), 'utf8'))
  const { environment, configs: mounted, env_file: files } = services.sluice
  expect(mounted).toEqual([{ source: 'providers', target: environment.SLUICE_CONFIG }])
  expect(configs.providers).toEqual({ file: './sluice.yaml' })
  expect(files).toEqual([{ path: '.env', required: false }])
  // An internal network would cut the way to the vendors.
  expect(services.sluice.networks ?? services.sluice.network_mode).toBeUndefined()
})
