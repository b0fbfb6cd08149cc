import { expect, test } from 'vitest'
import type { ConfigProblem } from '../../../config/config-error.ts'
import { readProvidersFile } from '../../../config/providers/providers-file.ts'
import { DRIVERS, type Provider } from '../drivers.ts'

const TEXT = 'driver: text, base_url: https://t.example, models: { m: chat }'

test.each([
  [
    `providers: { t: { ${TEXT} } }`,
    'sluice.yaml:1:17 providers.t.api_key: it is missing. Use a secret text of plain ASCII without spaces, or list several as api_keys.',
  ],
  [
    `providers: { t: { ${TEXT}, api_key: k, api_keys: [k] } }`,
    'sluice.yaml:1:105 providers.t.api_keys: there is an api_key too. Keep one of the two.',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: k } }`,
    'sluice.yaml:1:93 providers.t.api_keys: it is not a list. Write each item on a line of its own that begins with "- ", or all of them in [ ].',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: [] } }`,
    'sluice.yaml:1:93 providers.t.api_keys: no key is listed. List at least one key.',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: [k, \${MISSING}] } }`,
    'sluice.yaml:1:97 providers.t.api_keys.1: the variable MISSING is not set. Set MISSING in the environment, or write the value here.',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: [{ key: k, weight: 101 }] } }`,
    'sluice.yaml:1:112 providers.t.api_keys.0.weight: "101" is above 100. Use a whole number from 1 to 100 (default: 1).',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: [{ key: k, weight: 0 }] } }`,
    'sluice.yaml:1:112 providers.t.api_keys.0.weight: "0" is below 1. Use a whole number from 1 to 100 (default: 1).',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: [{ weight: 2 }] } }`,
    'sluice.yaml:1:94 providers.t.api_keys.0.key: it is missing. Use a secret text of plain ASCII without spaces.',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: [{ key: k, wieght: 2 }] } }`,
    'sluice.yaml:1:112 providers.t.api_keys.0.wieght: it is not a known key. Did you mean weight? The keys here are key, weight.',
  ],
  [
    `providers: { t: { ${TEXT}, api_keys: [canary7f3a, { key: canary7f3a, weight: 2 }] } }`,
    'sluice.yaml:1:106 providers.t.api_keys.1: it is the same key as sluice.yaml:1:94 providers.t.api_keys.0. Take one of the two out; a weight gives a key more calls.',
  ],
])('%s', (source, message) => {
  const faults: ConfigProblem[] = []
  const report = (fault: ConfigProblem) => void faults.push(fault)
  expect(
    readProvidersFile<Provider>({
      drivers: DRIVERS,
      fileName: 'sluice.yaml',
      source,
      environment: {},
      report,
    }),
  ).toEqual([])
  expect(faults.map(({ setting, wrong, fix }) => `${setting}: ${wrong}. ${fix}`)).toEqual([message])
})
