import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { type FreshRedis, freshRedis } from '../../servers/fresh-redis.ts'
import { createTestClock, type LimitsReplica, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

const HOUR_MS = 3_600_000

describe('the content of Redis after a sync, as a plain client reads it', () => {
  const store = createPlainStore()
  /** Redis expires keys by its own clock, so this scenario runs on the real day. */
  const clock = createTestClock(new Date().toISOString())
  const today = new Date(clock.nowMs()).toISOString().slice(0, 10)
  const startMs = Date.parse(`${today}T00:00:00Z`)
  const dayOf = (offset: number) => new Date(startMs + offset * 24 * HOUR_MS).toISOString().slice(0, 10)
  const tomorrow = dayOf(1)

  let redis: FreshRedis
  let replica: LimitsReplica
  let plain: ReturnType<typeof createClient>
  let userId: string
  beforeAll(async () => {
    redis = await freshRedis()
    replica = await openReplica({ redisUrl: redis.url, store, clock })
    plain = createClient({ url: redis.url })
    await plain.connect()
  })
  afterAll(async () => {
    await plain.close()
    await replica.close()
    await redis.close()
  })
  beforeEach(() => {
    userId = `usr_${randomUUID()}`
  })

  const read = async (key: string) => ({ ...(await plain.hGetAll(`sluice:{user:${userId}}:${key}`)) })
  const expiryOf = (key: string) => plain.pExpireTime(`sluice:{user:${userId}}:${key}`)
  const keysOfUser = async () => (await plain.keys(`sluice:{user:${userId}}:*`)).sort()

  test('rule 1: the entry has both values as strings without expiry, and no bucket exists', async () => {
    store.setLimit(userId, '5.5', false)
    await replica.syncUser(userId)
    expect(await read('limit')).toEqual({ max_daily_user_limit: '5.5', enable_limit: 'false' })
    expect(await expiryOf('limit')).toBe(-1)
    expect(await keysOfUser()).toEqual([`sluice:{user:${userId}}:limit`])
  })

  test('rule 1: existing buckets stay unchanged, with their expiry', async () => {
    const old = `sluice:{user:${userId}}:day:${dayOf(-1)}`
    await plain.hSet(old, { limit: '3', used: '2' })
    await plain.pExpireAt(old, startMs + 30 * HOUR_MS)
    store.setLimit(userId, '9', false)
    await replica.syncUser(userId)
    expect(await read(`day:${dayOf(-1)}`)).toEqual({ limit: '3', used: '2' })
    expect(await expiryOf(`day:${dayOf(-1)}`)).toBe(startMs + 30 * HOUR_MS)
  })

  test('rule 2: an invalid limit writes no key', async () => {
    store.setLimit(userId, '0', true)
    await expect(replica.syncUser(userId)).rejects.toMatchObject({ status: 400 })
    expect(await keysOfUser()).toEqual([])
  })

  test('rule 3: a bucket is exactly a limit and the used amount, and expires 48 hours after its day', async () => {
    store.write({ userId, day: today, delta: 1_234_567 })
    store.setLimit(userId, '1000000000', true)
    await replica.syncUser(userId)
    expect(await read('limit')).toEqual({ max_daily_user_limit: '1000000000', enable_limit: 'true' })
    expect(await read(`day:${today}`)).toEqual({ limit: '1000000000000000', used: '1234567' })
    expect(await read(`day:${tomorrow}`)).toEqual({ limit: '1000000000000000', used: '0' })
    expect(await expiryOf(`day:${today}`)).toBe(startMs + 72 * HOUR_MS)
    expect(await expiryOf(`day:${tomorrow}`)).toBe(startMs + 96 * HOUR_MS)
    for (const day of [today, tomorrow])
      expect(await expiryOf(`built:${day}`)).toBe(await expiryOf(`day:${day}`))
  })

  test('rule 3: every existing bucket gets the limit and the expiry of its date; a bucket of a day long past stays for an hour', async () => {
    for (const day of [dayOf(-1), dayOf(5), '2020-02-29'])
      await plain.hSet(`sluice:{user:${userId}}:day:${day}`, { limit: '1', used: '77' })
    await plain.hSet(`sluice:{user:${userId}}:day:scratch`, { note: 'not a date' })
    store.setLimit(userId, '2', true)
    await replica.syncUser(userId)
    for (const day of [dayOf(-1), dayOf(5), '2020-02-29'])
      expect(await read(`day:${day}`)).toEqual({ limit: '2000000', used: '77' })
    expect(await expiryOf(`day:${dayOf(-1)}`)).toBe(startMs + 48 * HOUR_MS)
    expect(await expiryOf(`day:${dayOf(5)}`)).toBe(startMs + 8 * 24 * HOUR_MS)
    expect(await expiryOf('day:2020-02-29')).toBe(clock.nowMs() + HOUR_MS)
    expect(await read('day:scratch')).toEqual({ note: 'not a date' })
  })

  describe.each([
    ['used that is no number', 'day', { limit: '5', used: 'abc' }],
    ['used with a fraction', 'day', { limit: '5', used: '1.5' }],
    ['used beyond all figures', 'day', { limit: '5', used: '9'.repeat(30) }],
    ['no limit', 'day', { used: '7' }],
    ['a limit that is no number', 'day', { limit: 'much', used: '7' }],
    ['a string in place of a bucket', 'day', 'not a hash'],
    ['a record with an invalid number', 'built', { life: 'a', built: 'x', seen: '0' }],
    ['a record with an invalid version', 'built', { life: 'a', built: '0', seen: 'x' }],
    ['a string in place of a record', 'built', 'not a hash'],
  ] as const)('%s', (_what, kind, value) => {
    async function spoil(day: string): Promise<void> {
      const key = `sluice:{user:${userId}}:${kind}:${day}`
      await plain.del(key)
      if (typeof value === 'string') await plain.set(key, value)
      else await plain.hSet(key, value)
    }

    async function begin(): Promise<void> {
      store.write({ userId, day: today, delta: 300 })
      store.setLimit(userId, '2', true)
      await replica.syncUser(userId)
      await Promise.all([today, tomorrow].map(spoil))
    }

    test('is rebuilt by a sync', async () => {
      await begin()
      await replica.syncUser(userId)
      expect(await read(`day:${today}`)).toEqual({ limit: '2000000', used: '300' })
      expect(await read(`day:${tomorrow}`)).toEqual({ limit: '2000000', used: '0' })
      expect(await expiryOf(`day:${tomorrow}`)).toBe(startMs + 96 * HOUR_MS)
    })

    test('is rebuilt by the next request', async () => {
      await begin()
      await replica.days.reserve(userId, micros(50))
      expect(await read(`day:${today}`)).toEqual({ limit: '2000000', used: '350' })
      expect(replica.keptLocally).toEqual([])
    })

    test('does not stop the next delta', async () => {
      await begin()
      await replica.days.applyMove(store.write({ userId, day: today, delta: 20 }))
      await replica.days.reserve(userId, micros(50))
      expect(await read(`day:${today}`)).toEqual({ limit: '2000000', used: '370' })
      expect(replica.keptLocally).toEqual([])
    })
  })

  test('rule 3: an invalid bucket of another day is removed', async () => {
    await plain.hSet(`sluice:{user:${userId}}:day:${dayOf(-1)}`, { limit: '1', used: 'abc' })
    await plain.set(`sluice:{user:${userId}}:day:${dayOf(-2)}`, 'not a hash')
    store.setLimit(userId, '2', true)
    await replica.syncUser(userId)
    const days = (await keysOfUser()).filter((key) => key.includes(':day:'))
    expect(days).toEqual([today, tomorrow].map((day) => `sluice:{user:${userId}}:day:${day}`))
  })

  test.each([true, false])('a string in place of the entry is replaced (enabled: %s)', async (enabled) => {
    await plain.set(`sluice:{user:${userId}}:limit`, 'not a hash')
    store.setLimit(userId, '2', enabled)
    await replica.syncUser(userId)
    expect(await read('limit')).toEqual({ max_daily_user_limit: '2', enable_limit: String(enabled) })
  })

  test('rule 4: a removed user has no key left', async () => {
    store.setLimit(userId, '2', true)
    await replica.syncUser(userId)
    await plain.hSet(`sluice:{user:${userId}}:day:2020-02-29`, { limit: '1', used: '77' })
    store.removeUser(userId)
    await replica.syncUser(userId)
    expect(await keysOfUser()).toEqual([])
  })

  test('a bucket without its record, or a record without its bucket, is rebuilt from the store', async () => {
    store.write({ userId, day: today, delta: 300 })
    store.setLimit(userId, '2', true)
    for (const lost of ['day', 'built']) {
      await replica.syncUser(userId)
      const before = await replica.days.reserve(userId, micros(100))
      await plain.del(`sluice:{user:${userId}}:${lost}:${today}`)
      const after = await replica.days.reserve(userId, micros(50))
      expect(await read(`day:${today}`)).toMatchObject({ used: '350' })
      for (const reservation of [before, after]) if (reservation) await replica.days.letGo(reservation)
      expect(await read(`day:${today}`)).toMatchObject({ used: '300' })
    }
  })

  test('rates: one Redis key per organization and one per API key; both expire once they are full again', async () => {
    const caller = {
      keyId: 'key_1',
      organizationId: `org_${randomUUID()}`,
      userId,
      keyRequestsPerMinute: 2,
      organizationRequestsPerMinute: 6,
      keepReplies: null,
      allowedModels: null,
      hasBudget: false,
    }
    await replica.checkRate(caller)
    const ofOrganization = `sluice:{org:${caller.organizationId}}:rate`
    expect((await plain.keys(`${ofOrganization}*`)).sort()).toEqual([
      ofOrganization,
      `${ofOrganization}:key:key_1`,
    ])
    for (const [key, fullAfterMs] of [
      [ofOrganization, 10_000],
      [`${ofOrganization}:key:key_1`, 30_000],
    ] as const) {
      const ttlMs = await plain.pTTL(key)
      expect(ttlMs).toBeGreaterThan(0)
      expect(ttlMs).toBeLessThanOrEqual(fullAfterMs)
    }
  })

  test('rates: when the clock of Redis goes back by an hour, no caller waits for it', async () => {
    const organizationId = `org_${randomUUID()}`
    const nextHourUs = (Date.now() + HOUR_MS) * 1_000
    await plain.set(`sluice:{org:${organizationId}}:rate`, `${60_000_000 * 6_000} ${nextHourUs}`)
    const caller = {
      keyId: 'key_1',
      organizationId,
      userId,
      keyRequestsPerMinute: null,
      organizationRequestsPerMinute: 6_000,
      keepReplies: null,
      allowedModels: null,
      hasBudget: false,
    }
    const other = { ...caller, organizationId: `org_${randomUUID()}` }
    await plain.set(`sluice:{org:${other.organizationId}}:rate`, `${60_000_000} ${nextHourUs}`)
    expect(await replica.checkRate(other)).toMatchObject({ remaining: 5_998, resetMs: 20 })
    await expect(replica.checkRate(caller)).rejects.toMatchObject({
      standing: { remaining: 0, retryAfterMs: 10 },
    })
    await expect
      .poll(async () => {
        try {
          return (await replica.checkRate(caller))?.allowed
        } catch {
          return false
        }
      })
      .toBe(true)
  })
})
