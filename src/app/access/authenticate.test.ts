import { expect, test } from 'vitest'
import { CALLER } from '../../../test/caller.ts'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { formatKey } from '../../domain/access/key-format.ts'
import { authenticate } from './authenticate.ts'

const KEY = formatKey(new Uint8Array(32).fill(7))
function story() {
  const secrets = createSecrets('a secret of more than thirty-two characters')
  const rows = new Map([[secrets.digest(KEY), CALLER]])
  const queries: string[] = []
  let nowMs = 0
  const access = authenticate({
    apiKeys: {
      create: async () => true,
      list: async () => [],
      revoke: async () => undefined,
      async findCaller(digest) {
        queries.push(digest)
        return rows.get(digest)
      },
    },
    secrets,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
  })
  return {
    forgetKey: access.forgetKey,
    forgetOrganization: access.forgetOrganization,
    authenticate: async (key: string | undefined) => access.authenticate(key),
    queries,
    revoke: () => rows.clear(),
    digest: secrets.digest(KEY),
    at: (ms: number) => {
      nowMs = ms
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a known key is asked for once, however often it calls', async () => {
  const { authenticate, queries } = story()
  for (let call = 0; call < 1_000; call++) expect(await authenticate(KEY)).toBe(CALLER)
  expect(queries).toHaveLength(1)
})

test.each([
  ['no key', undefined],
  ['an empty key', ''],
  ['a truncated key', KEY.slice(0, -1)],
  ['a mistyped key', `${KEY.slice(0, -1)}${KEY.endsWith('A') ? 'B' : 'A'}`],
  ['a digest as key', createSecrets('a secret of more than thirty-two characters').digest(KEY)],
])('%s is refused before any query', async (_name, presented) => {
  const { authenticate, queries } = story()
  await expect(authenticate(presented)).rejects.toMatchObject({ code: 'invalid_api_key' })
  expect(queries).toEqual([])
})

test('a well-formed key that nobody has is refused', async () => {
  const { authenticate } = story()
  await expect(authenticate(formatKey(new Uint8Array(32)))).rejects.toMatchObject({ code: 'invalid_api_key' })
})

test('a revoked key is refused within 5 s without any news, also when it never stops calling', async () => {
  const { authenticate, revoke, at } = story()
  await authenticate(KEY)
  revoke()
  let lastAcceptedMs = 0
  for (let ms = 0; ms <= 6_000; ms += 100) {
    at(ms)
    const accepted = await authenticate(KEY).then(
      () => true,
      () => false,
    )
    await settled()
    if (accepted) lastAcceptedMs = ms
  }
  expect(lastAcceptedMs).toBeLessThan(5_000)
})

test('news of a revocation works at once', async () => {
  const { authenticate, revoke, forgetKey, digest } = story()
  await authenticate(KEY)
  revoke()
  forgetKey(digest)
  await expect(authenticate(KEY)).rejects.toMatchObject({ code: 'invalid_api_key' })
})

test('news of an organization has its callers looked up again, and nobody else', async () => {
  const { authenticate, forgetOrganization, queries } = story()
  await authenticate(KEY)
  forgetOrganization('org_2')
  await authenticate(KEY)
  expect(queries).toHaveLength(1)
  forgetOrganization('org_1')
  await authenticate(KEY)
  expect(queries).toHaveLength(2)
})
