import { expect, test } from 'vitest'
import { STORED_CALLER } from '../../../test/caller.ts'
import { SILENT_LOG } from '../../../test/engines/store/silent-log.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import { createIds } from '../../adapters/system/ids.ts'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { formatKey, isWellFormedKey } from '../../domain/access/key-format.ts'
import { authenticate } from './authenticate.ts'
import { draftKey, isMarkedKey } from './create-key.ts'

/** A key that was made before keys had marks. */
const KEY = formatKey(new Uint8Array(32).fill(7))
const SECRETS = createSecrets('a secret of more than thirty-two characters')
function setup({ otherwise }: { otherwise?: Promise<undefined> } = {}) {
  const secrets = SECRETS
  const rows = new Map([[secrets.digest(KEY), STORED_CALLER]])
  const queries: string[] = []
  let nowMs = 0
  const access = authenticate({
    apiKeys: {
      create: async () => true,
      page: async () => [],
      list: async () => [],
      revoke: async () => undefined,
      find: async () => undefined,
      rotate: async () => undefined,
      setBudget: async () => undefined,
      findBudget: async () => undefined,
      async findCaller(digest) {
        queries.push(digest)
        return rows.get(digest) ?? otherwise
      },
    },
    secretChange: { replaceDigest: async () => true },
    secrets,
    log: SILENT_LOG,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
  })
  return {
    forgetKey: access.forgetKey,
    forgetOrganization: access.forgetOrganization,
    forgetUser: access.forgetUser,
    expireAt: (expiresAtMs: number) => rows.set(secrets.digest(KEY), { ...STORED_CALLER, expiresAtMs }),
    disable: (disabled: 'organization_disabled' | 'user_disabled' | null) =>
      rows.set(secrets.digest(KEY), { ...STORED_CALLER, disabled }),
    authenticate: async (key: string | undefined) => access.authenticate(key),
    queries,
    add: (key: string) => rows.set(secrets.digest(key), STORED_CALLER),
    revoke: () => rows.clear(),
    digest: secrets.digest(KEY),
    at: (ms: number) => {
      nowMs = ms
    },
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a known key is looked up once for a thousand calls', async () => {
  const { authenticate, queries } = setup()
  for (let call = 0; call < 1_000; call++) expect(await authenticate(KEY)).toBe(STORED_CALLER)
  expect(queries).toHaveLength(1)
})

test.each([
  ['no key', undefined],
  ['an empty key', ''],
  ['a truncated key', KEY.slice(0, -1)],
  ['a mistyped key', `${KEY.slice(0, -1)}${KEY.endsWith('A') ? 'B' : 'A'}`],
  ['a digest as key', createSecrets('a secret of more than thirty-two characters').digest(KEY)],
])('%s is refused before any query', async (_name, presented) => {
  const { authenticate, queries } = setup()
  await expect(authenticate(presented)).rejects.toMatchObject({ code: 'invalid_api_key' })
  expect(queries).toEqual([])
})

test('a well-formed key that was never made is refused', async () => {
  const { authenticate } = setup()
  await expect(authenticate(formatKey(new Uint8Array(32)))).rejects.toMatchObject({ code: 'invalid_api_key' })
})

test('a revoked key is refused within 5 s without a message, even if its calls never pause', async () => {
  const { authenticate, revoke, at } = setup()
  await authenticate(KEY)
  revoke()
  let lastAcceptedMs = 0
  for (let ms = 0; ms <= 6_000; ms += 100) {
    at(ms)
    const accepted = await authenticate(KEY).then(
      () => true,
      () => false,
    )
    await nextTurn()
    if (accepted) lastAcceptedMs = ms
  }
  expect(lastAcceptedMs).toBeLessThan(5_000)
})

test('a key is refused immediately after the message about its revocation', async () => {
  const { authenticate, revoke, forgetKey, digest } = setup()
  await authenticate(KEY)
  revoke()
  forgetKey(digest)
  await expect(authenticate(KEY)).rejects.toMatchObject({ code: 'invalid_api_key' })
})

test('after a message about an organization, only its callers are looked up again', async () => {
  const { authenticate, forgetOrganization, queries } = setup()
  await authenticate(KEY)
  forgetOrganization('org_2')
  await authenticate(KEY)
  expect(queries).toHaveLength(1)
  forgetOrganization('org_1')
  await authenticate(KEY)
  expect(queries).toHaveLength(2)
})

/** Makes well-formed keys that no deployment made. */
function madeUpKeys(count: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    const bytes = new Uint8Array(32)
    new DataView(bytes.buffer).setUint32(0, number + 1)
    return formatKey(bytes)
  })
}

function newKey(): string {
  const command = { organizationId: 'org_1', userId: 'usr_1', name: 'n', requestsPerMinute: null }
  const newId = createIds(systemClock)
  return draftKey(command, { newId, clock: systemClock, secrets: SECRETS }).key
}

test('lookups of unknown keys are limited per second, and further keys are refused immediately', async () => {
  const { authenticate, queries, at } = setup()
  const ask = async (keys: string[]) => {
    const endings = await Promise.allSettled(keys.map((key) => authenticate(key)))
    const codes = endings.map((ending) => (ending.status === 'rejected' ? ending.reason.code : 'accepted'))
    return Map.groupBy(codes, (code) => code)
  }
  const keys = madeUpKeys(2_000)
  for (let batch = 0; batch < 10; batch += 1) await ask(keys.slice(batch * 100, batch * 100 + 100))
  expect(queries).toHaveLength(1_000)
  const refused = await ask(keys.slice(1_000))
  expect(refused.get('overloaded')).toHaveLength(1_000)
  expect(queries).toHaveLength(1_000)
  at(1_000)
  const later = await ask(keys.slice(1_000, 1_250))
  expect(later.get('invalid_api_key')).toHaveLength(200)
  expect(queries).toHaveLength(1_200)
})

test('few unknown keys are looked up at the same time, and neither known nor new keys wait for them', async () => {
  const stuck = Promise.withResolvers<undefined>()
  const { authenticate, queries, add, at } = setup({ otherwise: stuck.promise })
  await authenticate(KEY)
  const flood = Promise.allSettled(madeUpKeys(500).map((key) => authenticate(key)))
  await nextTurn()
  expect(queries.length).toBeLessThanOrEqual(1 + 4)
  at(3_000)
  expect(await authenticate(KEY)).toBe(STORED_CALLER)
  const fresh = newKey()
  add(fresh)
  expect(await authenticate(fresh)).toBe(STORED_CALLER)
  stuck.resolve(undefined)
  for (const ending of await flood) expect(ending.status).toBe('rejected')
})

test('unknown keys do not remove known keys from the cache', async () => {
  const { authenticate, queries, at } = setup()
  await authenticate(KEY)
  for (let second = 0; second < 4; second += 1) {
    at(second)
    await Promise.allSettled(madeUpKeys(15_000).map((key) => authenticate(key)))
  }
  const before = queries.length
  await authenticate(KEY)
  expect(queries).toHaveLength(before)
})

test('a new key has the mark of its deployment, and also the shape of older keys', async () => {
  const { authenticate, add } = setup()
  const key = newKey()
  expect(isMarkedKey(key, SECRETS)).toBe(true)
  expect(isWellFormedKey(key)).toBe(true)
  expect(isMarkedKey(key, createSecrets('another secret of more than thirty-two characters'))).toBe(false)
  expect(isMarkedKey(KEY, SECRETS)).toBe(false)
  add(key)
  expect(await authenticate(key)).toBe(STORED_CALLER)
})

test.each([
  ['organization_disabled', 'forgetOrganization', 'org_1'],
  ['user_disabled', 'forgetUser', 'usr_1'],
] as const)(
  '%s: a known key is refused after the message, and served again after the next one',
  async (disabled, forget, id) => {
    const { authenticate, disable, ...access } = setup()
    await authenticate(KEY)
    disable(disabled)
    expect(await authenticate(KEY)).toMatchObject({ keyId: 'key_1' })
    access[forget](id)
    await expect(authenticate(KEY)).rejects.toMatchObject({ code: disabled, status: 403 })
    disable(null)
    access[forget](id)
    expect(await authenticate(KEY)).toMatchObject({ keyId: 'key_1' })
  },
)

test('a key gets a 401 from its expiry on, even while it is cached', async () => {
  const { authenticate, expireAt, at } = setup()
  expireAt(1_000)
  at(999)
  expect(await authenticate(KEY)).toMatchObject({ keyId: 'key_1' })
  at(1_000)
  await expect(authenticate(KEY)).rejects.toMatchObject({
    ...{ code: 'invalid_api_key', status: 401, message: 'This API key has expired.' },
  })
})
