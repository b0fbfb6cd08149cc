import { expect, test } from 'vitest'
import { DRIVERS } from '../../../src/adapters/providers/drivers.ts'
import { draftAudit } from '../../../src/app/draft-audit.ts'
import {
  columnsOf,
  keyHintsOf,
  membersOf,
  splitSecrets,
} from '../../../src/app/providers/provider-secrets.ts'
import { describeSecretScenarios, NEW, OLD } from './open-secret-scenario.ts'

const MEMBERS = {
  driver: 'vendor-a',
  base_url: 'https://a.example',
  api_key: 'the key of the account',
  models: { 'gen-2.0': 'upstream-id' },
  assets: {
    endpoint: 'https://assets.example',
    access_key: 'the access',
    secret_key: 'the secret',
    region: 'r',
  },
}

test('every secret field of a driver is stored separately', () => {
  const fields = Object.values(DRIVERS).flatMap(({ reference }) =>
    reference.flatMap((part) => (typeof part === 'string' ? [] : Object.entries(part))),
  )
  const secret = new Set(fields.flatMap(([name, { kind }]) => (kind.secret ? [name] : [])))
  // `key` stands only in the list `api_keys`, which is kept apart as a whole.
  expect([...secret].toSorted()).toEqual(['access_key', 'api_key', 'key', 'secret_key'])
  const members = {
    api_key: 'a',
    api_keys: [{ key: 'b', weight: 2 }],
    assets: { access_key: 'c', secret_key: 'd' },
  }
  expect(splitSecrets(members)).toEqual({ open: { assets: {} }, secrets: members })
})

test('shows only the last four characters of a key, and none of a short key', () => {
  expect(keyHintsOf({ api_key: 'sk-0123456789abcd' })).toEqual(['abcd'])
  expect(
    keyHintsOf({ api_keys: ['sk-0123456789abcd', { key: 'sk-0123456789wxyz', weight: 2 }, 'short'] }),
  ).toEqual(['abcd', 'wxyz', '****'])
  expect(keyHintsOf({})).toEqual([])
})

describeSecretScenarios('secrets of providers', ({ lent, scenario }) => {
  test('are encrypted for their row, and again when the secret changes', async () => {
    const old = await scenario().start(OLD)
    const times = { createdAtMs: 1, changedAtMs: 1 }
    const row = {
      ...columnsOf('prov_1', MEMBERS, old.secrets),
      name: 'vendorA',
      state: 'active',
      ...times,
    } as const
    const act = { action: 'provider.add', organizationId: null, subject: 'vendorA', detail: {} }
    await lent().store.providers.add(row, draftAudit(act, { ...old.tools, actor: 'cli' }))
    const stored = async () => {
      const [found] = await lent().store.providers.list()
      if (found === undefined) throw new Error('no provider')
      return found
    }
    expect(JSON.stringify(await stored())).not.toMatch(/the (key|access|secret)/)
    expect(membersOf(await stored(), old.secrets)).toEqual(MEMBERS)
    expect(membersOf({ ...(await stored()), id: 'prov_2' }, old.secrets)).toBeUndefined()

    const both = await scenario().start(NEW, OLD)
    expect(membersOf(await stored(), both.secrets)).toEqual(MEMBERS)
    await both.rotate()
    const after = await stored()
    expect(after.encryptedSecrets).not.toBe(row.encryptedSecrets)
    await expect.poll(async () => (await both.rotate()).ended).toBe(true)
    expect(membersOf(after, (await scenario().start(NEW)).secrets)).toEqual(MEMBERS)
    expect(membersOf(after, old.secrets)).toBeUndefined()
  })
})
