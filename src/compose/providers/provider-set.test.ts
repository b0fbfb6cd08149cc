import { expect, test } from 'vitest'
import type { StoredProvider } from '../../ports/providers.ts'
import { deletableProvidersOf } from '../asset-vendor.ts'
import type { Config } from '../config.ts'
import { providerSets } from './provider-set.ts'

const ASSETS = {
  endpoint: 'https://assets.example',
  service: 'assets',
  region: 'north',
  access_key: 'a',
  secret_key: 'b',
  can_delete: true,
}

function row(name: string, createdAtMs: number, settings: StoredProvider['settings'] = {}): StoredProvider {
  return {
    ...{ id: `prov_${name}`, name, driver: 'vendor-a', state: 'active', models: { m: 'm' } },
    settings: { base_url: 'https://vendor.example', api_key: 'k', assets: ASSETS, ...settings },
    ...{ encryptedSecrets: null, version: 1, createdAtMs, changedAtMs: createdAtMs },
  }
}

function readSet(rows: StoredProvider[], allowedRanges: string[] = []) {
  const problems: unknown[] = []
  const log = { error: (event: string, fields: unknown) => problems.push(event, fields) }
  const makeSet = providerSets({
    config: { providers: [], outbound: { allowedRanges } as unknown as Config['outbound'] },
    tools: { secrets: {}, log } as unknown as Parameters<typeof providerSets>[0]['tools'],
    sandboxUrl: undefined,
  })
  const set = makeSet(rows)
  return { set, problems, names: set.serving.map(({ name }) => name) }
}

test('a provider with assets keeps them when a newer one with an earlier name is added', () => {
  const { set, problems, names } = readSet([row('beta', 2), row('vendorA', 1)])
  expect(problems).toEqual([])
  expect(names).toEqual(['vendorA', 'beta'])
  expect(deletableProvidersOf(set)).toEqual(['vendorA'])
})

test.each([
  ['base_url', { base_url: 'http://10.1.2.3:8080' }],
  ['assets.endpoint', { assets: { ...ASSETS, endpoint: 'https://10.1.2.3' } }],
])(
  'a stored provider whose %s is a private address serves only while OUTBOUND_ALLOW has it',
  (member, settings) => {
    const rows = [row('vendorA', 1, settings), row('beta', 2)]
    expect(readSet(rows, ['10.0.0.0/8'])).toMatchObject({ problems: [], names: ['vendorA', 'beta'] })
    expect(readSet(rows)).toMatchObject({
      problems: [
        'provider.unusable',
        { provider: 'vendorA', reason: expect.stringMatching(`^${member}: .*OUTBOUND_ALLOW`) },
      ],
      names: ['beta'],
    })
  },
)
