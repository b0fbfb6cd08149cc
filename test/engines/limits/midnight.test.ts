import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { type FreshRedis, freshRedis } from '../../servers/fresh-redis.ts'
import { createTestClock, openReplica } from './limits-replica.ts'
import { createPlainStore } from './plain-store.ts'

const HOUR_MS = 3_600_000
const HALF = micros(500)

describe.each(['memory', 'redis'] as const)('the turn of the day on %s', (engine) => {
  let redis: FreshRedis | undefined
  beforeAll(async () => {
    redis = engine === 'redis' ? await freshRedis() : undefined
  })
  afterAll(() => redis?.close())

  async function begin({ userId, timeZone, at }: { userId: string; timeZone: string; at: string }) {
    const store = createPlainStore()
    const clock = createTestClock(at)
    store.setLimit(userId, '0.001', true)
    const replica = await openReplica({ redisUrl: redis?.url, store, clock, timeZone })
    const spendHalf = async () => {
      const reservation = await replica.days.reserve(userId, HALF)
      if (reservation === undefined) throw new Error('a limited user has a reservation')
      await replica.days.apply(reservation, store.write({ userId, day: reservation.day, delta: HALF }))
      return reservation.day
    }
    return { replica, clock, store, spendHalf }
  }

  test('a new day begins with the whole limit, and ends the wait', async () => {
    const { replica, clock, spendHalf } = await begin({
      userId: 'usr_midnight',
      timeZone: 'Asia/Shanghai',
      at: '2091-05-04T15:59:57.500Z',
    })
    expect([await spendHalf(), await spendHalf()]).toEqual(['2091-05-04', '2091-05-04'])
    await expect(spendHalf()).rejects.toMatchObject({ code: 'daily_limit_exceeded', retryAfterSeconds: 3 })
    clock.pass(2_499)
    await expect(spendHalf()).rejects.toMatchObject({ retryAfterSeconds: 1 })
    clock.pass(1)
    expect(await spendHalf()).toBe('2091-05-05')
    await replica.close()
  })

  test('a reservation from before midnight counts on its own day to the end', async () => {
    const { replica, clock, store, spendHalf } = await begin({
      userId: 'usr_across',
      timeZone: 'UTC',
      at: '2091-05-04T23:59:59Z',
    })
    const late = await replica.days.reserve('usr_across', HALF)
    clock.pass(1_000)
    const move = store.write({ userId: 'usr_across', day: '2091-05-04', delta: 400 })
    await replica.days.apply(late, move)
    expect([await spendHalf(), await spendHalf()]).toEqual(['2091-05-05', '2091-05-05'])
    const yesterday = await replica.buckets.reserve(
      { userId: 'usr_across', day: '2091-05-04' },
      micros(1_000_000),
    )
    expect(yesterday).toMatchObject({ kind: 'over', usedMicros: 400 })
    await replica.close()
  })

  test('a clock that jumps back finds its day unchanged', async () => {
    const { replica, clock, spendHalf } = await begin({
      userId: 'usr_jump',
      timeZone: 'UTC',
      at: '2091-05-04T23:59:59Z',
    })
    await spendHalf()
    clock.set('2091-05-05T00:00:01Z')
    await spendHalf()
    clock.set('2091-05-04T23:59:58Z')
    expect(await spendHalf()).toBe('2091-05-04')
    await expect(spendHalf()).rejects.toMatchObject({ retryAfterSeconds: 2 })
    await replica.close()
  })

  test.each([
    ['spring', '2091-03-24T23:00:00Z', '2091-03-25', 23],
    ['autumn', '2091-10-27T22:00:00Z', '2091-10-28', 25],
  ])('a day of %s with a clock change is one day', async (season, start, day, hours) => {
    const userId = `usr_${season}`
    const { replica, clock, spendHalf } = await begin({ userId, timeZone: 'Europe/Berlin', at: start })
    expect(await spendHalf()).toBe(day)
    clock.pass(hours * HOUR_MS - 1)
    expect(await spendHalf()).toBe(day)
    await expect(spendHalf()).rejects.toMatchObject({ retryAfterSeconds: 1 })
    clock.pass(1)
    expect(await spendHalf()).not.toBe(day)
    if (redis !== undefined)
      await expectExpiry(redis.url, userId, day, Date.parse(start) + (hours + 48) * HOUR_MS)
    await replica.close()
  })
})

async function expectExpiry(url: string, userId: string, day: string, expiresAtMs: number): Promise<void> {
  const plain = createClient({ url })
  await plain.connect()
  expect(await plain.pExpireTime(`sluice:{user:${userId}}:day:${day}`)).toBe(expiresAtMs)
  await plain.close()
}
