import { expect, test } from 'vitest'
import type { StoredProvider } from '../../ports/providers.ts'
import { deletableProvidersOf } from '../asset-vendor.ts'
import { providerSets } from './provider-set.ts'

const ASSETS = {
  endpoint: 'https://assets.example',
  service: 'assets',
  region: 'north',
  access_key: 'a',
  secret_key: 'b',
  can_delete: true,
}

function row(name: string, createdAtMs: number): StoredProvider {
  return {
    ...{ id: `prov_${name}`, name, driver: 'vendor-a', state: 'active', models: { m: 'm' } },
    settings: { base_url: 'https://vendor.example', api_key: 'k', assets: ASSETS },
    ...{ encryptedSecrets: null, version: 1, createdAtMs, changedAtMs: createdAtMs },
  }
}

test('a provider with assets keeps them when a newer one with an earlier name is added', () => {
  const problems: unknown[] = []
  const log = { error: (event: string, fields: unknown) => problems.push(event, fields) }
  const makeSet = providerSets({
    config: { providers: [] },
    tools: { secrets: {}, log } as unknown as Parameters<typeof providerSets>[0]['tools'],
    sandboxUrl: undefined,
  })
  const set = makeSet([row('beta', 2), row('vendorA', 1)])
  expect(problems).toEqual([])
  expect(set.serving.map(({ name }) => name)).toEqual(['vendorA', 'beta'])
  expect(deletableProvidersOf(set)).toEqual(['vendorA'])
})
