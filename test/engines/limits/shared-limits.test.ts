import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { type FreshRedis, freshRedis } from '../../servers/fresh-redis.ts'
import { createTestClock, type LimitsReplica, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

const store = createPlainStore()
/** A day in the far future, because Redis expires keys by its own clock. */
const clock = createTestClock('2091-05-04T10:00:00Z')
const DAY = '2091-05-04'

let redis: FreshRedis
let one: LimitsReplica
let other: LimitsReplica
beforeAll(async () => {
  redis = await freshRedis()
  one = await openReplica({ redisUrl: redis.url, store, clock })
  other = await openReplica({ redisUrl: redis.url, store, clock })
})
afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await redis.close()
})

const at = (turn: number) => (turn % 2 === 0 ? one : other)

async function kindOf(asked: unknown): Promise<string> {
  try {
    return (await asked) === undefined ? 'unlimited' : 'reserved'
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error)
  }
}

test('two replicas share one daily limit, from a cold cache', async () => {
  store.setLimit('usr_cold', '0.0005', true)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, turn) => kindOf(at(turn).days.reserve('usr_cold', micros(10)))),
  )
  expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(50)
  expect(answers.filter((answer) => answer === 'daily_limit_exceeded')).toHaveLength(150)
})

test('usage that one replica wrote is counted by the other', async () => {
  store.setLimit('usr_moves', '1', true)
  const reservation = await one.days.reserve('usr_moves', micros(600_000))
  expect(await kindOf(other.days.reserve('usr_moves', micros(600_000)))).toBe('daily_limit_exceeded')
  await one.days.apply(reservation, store.write({ userId: 'usr_moves', day: DAY, delta: 600_000 }))
  expect(await kindOf(other.days.reserve('usr_moves', micros(600_000)))).toBe('daily_limit_exceeded')
  await other.days.applyMove(store.write({ userId: 'usr_moves', day: DAY, delta: -500_000 }))
  expect(await kindOf(one.days.reserve('usr_moves', micros(900_000)))).toBe('reserved')
})

test('two replicas share one rate limit', async () => {
  const caller = {
    keyId: 'key_1',
    organizationId: 'org_1',
    userId: 'usr_1',
    keyRequestsPerMinute: 5,
    organizationRequestsPerMinute: null,
    keepReplies: null,
    allowedModels: null,
    hasBudget: false,
  }
  const answers = []
  for (let turn = 0; turn < 8; turn += 1)
    answers.push(await kindOf(Promise.resolve().then(() => at(turn).checkRate(caller))))
  expect(answers.slice(0, 5)).toEqual(Array(5).fill('reserved'))
  expect(answers.slice(5)).toEqual(Array(3).fill('rate_limit_exceeded'))
})

test('a sync on one replica applies on the other immediately', async () => {
  store.setLimit('usr_news', '5', true)
  await one.syncUser('usr_news')
  await other.days.reserve('usr_news', micros(1))
  store.setLimit('usr_news', '0.000010', true)
  await one.syncUser('usr_news')
  expect(await kindOf(other.days.reserve('usr_news', micros(100)))).toBe('daily_limit_exceeded')
  store.setLimit('usr_news', '5', false)
  await one.syncUser('usr_news')
  await expect.poll(() => kindOf(other.days.reserve('usr_news', micros(100)))).toBe('unlimited')
})

test('a changed row applies within 5 s without a sync, and the cache agrees', async () => {
  store.setLimit('usr_row', '5', true)
  expect(await kindOf(one.days.reserve('usr_row', micros(10)))).toBe('reserved')
  store.setLimit('usr_row', '0.000005', true)
  clock.pass(4_500)
  expect(await kindOf(one.days.reserve('usr_row', micros(10)))).toBe('daily_limit_exceeded')
  expect(await other.buckets.readLimit('usr_row')).toEqual({
    maxDailyUserLimit: '0.000005',
    enableLimit: true,
  })
})

test('an invalid row leaves the last good limit in force, with one warning', async () => {
  store.setLimit('usr_odd', '0.000100', true)
  expect(await kindOf(one.days.reserve('usr_odd', micros(60)))).toBe('reserved')
  store.setLimit('usr_odd', '0', true)
  for (let turn = 0; turn < 3; turn += 1) {
    clock.pass(4_500)
    expect(await kindOf(one.days.reserve('usr_odd', micros(60)))).toBe('daily_limit_exceeded')
  }
  expect(one.log.events.filter((event) => event === 'limits.invalid_kept_last')).toHaveLength(1)
  expect(await one.buckets.readLimit('usr_odd')).toEqual({ maxDailyUserLimit: '0.000100', enableLimit: true })
})

test('usage that a replica did not count while it knew no limit is counted when it learns of the limit', async () => {
  const userId = 'usr_late'
  store.setLimit(userId, '1', false)
  await other.limits.find(userId)
  store.setLimit(userId, '1', true)
  await one.limits.find(userId)
  await one.days.letGo((await one.days.reserve(userId, micros(1))) ?? never())
  // The other replica does not know of the limit yet, so its settlement does not change the bucket.
  await other.days.applyMove(store.write({ userId, day: DAY, delta: 700_000 }))
  clock.pass(4_500)
  expect(await kindOf(other.days.reserve(userId, micros(400_000)))).toBe('daily_limit_exceeded')
  expect(await kindOf(one.days.reserve(userId, micros(400_000)))).toBe('daily_limit_exceeded')
  expect(await kindOf(one.days.reserve(userId, micros(300_000)))).toBe('reserved')
})

test('usage that a replica did not count is counted for the others too, without a further request for that user', async () => {
  const userId = 'usr_elsewhere'
  const tryAtOne = async (amount: number) => {
    const reservation = await one.days.reserve(userId, micros(amount))
    await one.days.letGo(reservation ?? never())
  }
  store.setLimit(userId, '1', false)
  await other.limits.find(userId)
  store.setLimit(userId, '1', true)
  await tryAtOne(1)
  await other.days.applyMove(store.write({ userId, day: DAY, delta: 700_000 }))
  clock.pass(4_500)
  await expect.poll(() => kindOf(tryAtOne(400_000))).toBe('daily_limit_exceeded')
  await tryAtOne(300_000)
})

test('an invalid row keeps the last good limit when the cache is flushed, on both replicas', async () => {
  const userId = 'usr_flushed'
  store.setLimit(userId, '0.000100', true)
  expect(await kindOf(one.days.reserve(userId, micros(60)))).toBe('reserved')
  store.setLimit(userId, '0', true)
  await one.buckets.forgetUser(userId)
  clock.pass(4_500)
  expect(await kindOf(one.days.reserve(userId, micros(101)))).toBe('daily_limit_exceeded')
  expect(await one.buckets.readLimit(userId)).toEqual({ maxDailyUserLimit: '0.000100', enableLimit: true })
  expect(await kindOf(other.days.reserve(userId, micros(101)))).toBe('daily_limit_exceeded')
})

function never(): never {
  throw new Error('a limited user has a reservation')
}
