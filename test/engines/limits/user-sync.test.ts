import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { createTestClock, type LimitsReplica, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

/** Redis expires keys by its own clock, so these tests run on the real day. */
const NOW_MS = Date.now()
const TODAY = new Date(NOW_MS).toISOString().slice(0, 10)
const TOMORROW = new Date(NOW_MS + 86_400_000).toISOString().slice(0, 10)

const ENGINES = {
  memory: async () => ({ url: undefined, close: async () => {} }),
  redis: freshRedis,
} satisfies Record<string, () => Promise<{ url: string | undefined; close(): Promise<void> }>>

describe.each(Object.entries(ENGINES))('the user sync on %s', (_name, openEngine) => {
  const store = createPlainStore()
  const clock = createTestClock(new Date(NOW_MS).toISOString())
  let engine: { url: string | undefined; close(): Promise<void> }
  let replica: LimitsReplica
  let userId: string
  beforeAll(async () => {
    engine = await openEngine()
    replica = await openReplica({ redisUrl: engine.url, store, clock })
  })
  afterAll(async () => {
    await replica.close()
    await engine.close()
  })
  beforeEach(() => {
    userId = `usr_${randomUUID()}`
  })

  /** Shows the state of a bucket with a reservation that every limit here refuses. */
  async function bucketOf(day: string): Promise<string> {
    const found = await replica.buckets.reserve({ userId, day }, micros(1_000_000_000_000))
    return found.kind === 'over' ? `${found.usedMicros} of ${found.limitMicros}` : found.kind
  }

  test('rule 1: a limit that is off changes only the entry', async () => {
    store.setLimit(userId, '5', false)
    await replica.syncUser(userId)
    expect(await replica.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '5', enableLimit: false })
    expect(await bucketOf(TODAY)).toBe('absent')

    store.setLimit(userId, '5', true)
    await replica.syncUser(userId)
    store.setLimit(userId, '9', false)
    await replica.syncUser(userId)
    expect(await replica.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '9', enableLimit: false })
    expect([await bucketOf(TODAY), await bucketOf(TOMORROW)]).toEqual(['0 of 5000000', '0 of 5000000'])
  })

  test('rule 1: a user who never had a limit has an entry of 0', async () => {
    store.setLimit(userId, null, false)
    await replica.syncUser(userId)
    expect(await replica.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '0', enableLimit: false })
  })

  test.each([null, '0', '-1'])('rule 2: enabled with %s is refused and changes nothing', async (max) => {
    store.setLimit(userId, '5', true)
    await replica.syncUser(userId)
    store.setLimit(userId, max, true)
    await expect(replica.syncUser(userId)).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: 'enable_limit=true requires max_daily_user_limit > 0',
    })
    expect(await replica.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '5', enableLimit: true })
    expect([await bucketOf(TODAY), await bucketOf(TOMORROW)]).toEqual(['0 of 5000000', '0 of 5000000'])
  })

  test('rule 3: today and tomorrow get the stored amounts, existing buckets get the limit', async () => {
    store.write({ userId, day: TODAY, delta: 1_500_000 })
    store.setLimit(userId, '5', true)
    await replica.syncUser(userId)
    expect([await bucketOf(TODAY), await bucketOf(TOMORROW)]).toEqual(['1500000 of 5000000', '0 of 5000000'])

    expect(await replica.buckets.reserve({ userId, day: TODAY }, micros(1_000_000))).toMatchObject({
      kind: 'reserved',
    })
    store.setLimit(userId, '7.25', true)
    await replica.syncUser(userId)
    expect(await replica.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '7.25', enableLimit: true })
    // Reserved amounts that are not written yet still count.
    expect([await bucketOf(TODAY), await bucketOf(TOMORROW)]).toEqual(['2500000 of 7250000', '0 of 7250000'])
  })

  test('rule 3: spending while the limit was off is counted when it is on again', async () => {
    store.setLimit(userId, '5', true)
    await replica.syncUser(userId)
    store.setLimit(userId, '5', false)
    await replica.syncUser(userId)
    await replica.days.applyMove(store.write({ userId, day: TODAY, delta: 2_000_000 }))
    expect(await bucketOf(TODAY)).toBe('0 of 5000000')
    store.setLimit(userId, '5', true)
    await replica.syncUser(userId)
    expect(await bucketOf(TODAY)).toBe('2000000 of 5000000')
  })

  test('rule 4: a deleted user leaves nothing behind', async () => {
    store.setLimit(userId, '5', true)
    await replica.syncUser(userId)
    store.removeUser(userId)
    await replica.syncUser(userId)
    expect(await replica.buckets.readLimit(userId)).toBeUndefined()
    expect([await bucketOf(TODAY), await bucketOf(TOMORROW)]).toEqual(['absent', 'absent'])
  })

  test('rule 4: an unusual id reaches no other user', async () => {
    store.setLimit(userId, '5', true)
    await replica.syncUser(userId)
    for (const odd of ['*', 'usr_*', 'usr_????????', '[a-z]*', '\\', '}:day:', `${userId.slice(0, -1)}?`])
      await replica.syncUser(odd)
    expect(await bucketOf(TODAY)).toBe('0 of 5000000')
    expect(await replica.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '5', enableLimit: true })
  })

  test('of many simultaneous syncs of a changing row, the last row stays', async () => {
    store.setLimit(userId, '1', true)
    const syncs: Promise<void>[] = []
    for (let dollars = 2; dollars <= 8; dollars += 1) {
      syncs.push(replica.syncUser(userId))
      store.setLimit(userId, String(dollars), true)
    }
    await Promise.all([...syncs, replica.syncUser(userId)])
    expect(await replica.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '8', enableLimit: true })
    expect(await bucketOf(TODAY)).toBe('0 of 8000000')
  })

  test('of many syncs during changes of the row, none fails', async () => {
    store.setLimit(userId, '1', true)
    let dollars = 1
    const client = async () => {
      for (let turn = 0; turn < 15; turn += 1) {
        dollars += 1
        store.setLimit(userId, String(dollars), true)
        await replica.syncUser(userId)
      }
    }
    await Promise.all(Array.from({ length: 12 }, client))
    expect(await bucketOf(TODAY)).toBe(`0 of ${dollars}000000`)
  })
})
