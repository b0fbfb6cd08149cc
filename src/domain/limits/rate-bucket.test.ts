import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { debtAt, hasRoom, type RateBucket, REQUEST_DEBT, tighterOf } from './rate-bucket.ts'

const perMinute = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 10_000_000 }))

test('a full bucket allows exactly its limit without a wait', () => {
  for (const limit of [1, 3, 7, 59, 60, 61, 997]) {
    let debt = 0
    let taken = 0
    for (; hasRoom(debt, limit); debt += REQUEST_DEBT) taken += 1
    expect(taken).toBe(limit)
  }
})

test('after `retryAfterMs` a request is allowed, and a millisecond earlier it is not', () => {
  fc.assert(
    fc.property(perMinute, fc.integer({ min: 0, max: 60_000_000 }), (limit, agoUs) => {
      const bucket: RateBucket = { debt: REQUEST_DEBT * limit, atUs: 0 }
      const debt = debtAt(bucket, limit, agoUs)
      fc.pre(!hasRoom(debt, limit))
      const { retryAfterMs } = tighterOf([{ perMinute: limit, debt }], false)
      expect(hasRoom(debtAt(bucket, limit, agoUs + retryAfterMs * 1_000), limit)).toBe(true)
      expect(hasRoom(debtAt(bucket, limit, agoUs + (retryAfterMs - 1) * 1_000), limit)).toBe(false)
    }),
  )
})

test('after its reset a bucket is full again, and not a millisecond before', () => {
  fc.assert(
    fc.property(perMinute, fc.double({ min: 0, max: 1, noNaN: true }), (limit, share) => {
      const bucket: RateBucket = { debt: REQUEST_DEBT * Math.ceil(limit * share), atUs: 0 }
      fc.pre(bucket.debt > 0)
      const { resetMs } = tighterOf([{ perMinute: limit, debt: bucket.debt }], true)
      expect(debtAt(bucket, limit, resetMs * 1_000)).toBe(0)
      expect(debtAt(bucket, limit, (resetMs - 1) * 1_000)).toBeGreaterThan(0)
      expect(resetMs).toBeLessThanOrEqual(60_000)
    }),
  )
})

test('at most the limit and the refilled requests are allowed, with any clock', () => {
  const steps = fc.array(fc.integer({ min: -50_000, max: 300_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), steps, (limit, stepsUs) => {
      let bucket: RateBucket | undefined
      let [nowUs, forwardUs, taken] = [1_000_000, 0, 0]
      for (const stepUs of stepsUs) {
        nowUs += stepUs
        forwardUs += Math.max(0, stepUs)
        const debt = debtAt(bucket, limit, nowUs)
        const room = hasRoom(debt, limit)
        bucket = { debt: room ? debt + REQUEST_DEBT : debt, atUs: nowUs }
        if (room) taken += 1
      }
      expect(taken).toBeLessThanOrEqual(limit + (forwardUs * limit) / REQUEST_DEBT)
    }),
  )
})

test('after a lower limit the wait fits the new rate', () => {
  const debt = debtAt({ debt: REQUEST_DEBT * 600, atUs: 0 }, 6, 0)
  expect(tighterOf([{ perMinute: 6, debt }], false).retryAfterMs).toBe(10_000)
})

test('the tighter of two limits has less left, or the longer wait', () => {
  const wide = { perMinute: 60, debt: REQUEST_DEBT * 2 }
  const narrow = { perMinute: 10, debt: REQUEST_DEBT * 2 }
  expect(tighterOf([wide, narrow], true)).toEqual({
    limitPerMinute: 10,
    remaining: 8,
    resetMs: 12_000,
    retryAfterMs: 0,
  })
  const spent = { perMinute: 60, debt: REQUEST_DEBT * 60 }
  expect(tighterOf([spent, narrow], false)).toMatchObject({ limitPerMinute: 60, retryAfterMs: 1_000 })
})
