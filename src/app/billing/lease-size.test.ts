import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { amountsToAsk, measurePace, NO_PACE, targetMicros } from './lease-size.ts'

test('the first lease of an organization covers 64 requests, within five dollars', () => {
  expect(targetMicros(NO_PACE, 100)).toBe(6_400)
  expect(targetMicros(NO_PACE, 1_000_000)).toBe(5_000_000)
})

test('the lease covers one request of any reserve', () => {
  expect(targetMicros(NO_PACE, 20_000_000)).toBe(20_000_000)
})

test('the lease of a busy organization lasts five seconds', () => {
  const first = { microsPerMs: 0, leftMicros: 10_000, atMs: 1_000 }
  const pace = measurePace(first, { leftMicros: 0, atMs: 3_000 })
  expect(targetMicros(pace, 10)).toBe(25_000)
  const burst = measurePace(first, { leftMicros: 0, atMs: 1_001 })
  expect(targetMicros(burst, 10)).toBe(50_000)
})

test('a pace halves with each refill, and returned money does not count as used', () => {
  const fast = { microsPerMs: 100, leftMicros: 0, atMs: 0 }
  expect(measurePace(fast, { leftMicros: 500, atMs: 1_000 })).toEqual({
    microsPerMs: 50,
    leftMicros: 500,
    atMs: 1_000,
  })
})

test('each amount is a quarter of the one before, and the last one is the missing amount', () => {
  expect(amountsToAsk({ targetMicros: 6_400, leftMicros: 0, needMicros: 100 })).toEqual([
    6_400, 1_600, 400, 100,
  ])
  expect(amountsToAsk({ targetMicros: 6_400, leftMicros: 60, needMicros: 100 })).toEqual([
    6_340, 1_585, 396, 40,
  ])
})

test('the last amount is zero when the lease covers the request', () => {
  expect(amountsToAsk({ targetMicros: 6_400, leftMicros: 1_400, needMicros: 100 })).toEqual([
    5_000, 1_250, 312, 0,
  ])
})

test('the amounts decrease, are whole, and the last amount just covers the request', () => {
  const whole = fc.integer({ min: 0, max: 10_000_000 })
  fc.assert(
    fc.property(
      whole,
      fc.integer({ min: -1_000, max: 1_000_000 }),
      whole,
      (target, leftMicros, needMicros) => {
        const amounts = amountsToAsk({ targetMicros: target, leftMicros, needMicros })
        expect(amounts.at(-1)).toBe(Math.max(0, needMicros - leftMicros))
        for (const [index, amount] of amounts.entries()) {
          expect(amount).toBeLessThan(amounts[index - 1] ?? Number.POSITIVE_INFINITY)
        }
        expect(amounts.length).toBeLessThan(15)
      },
    ),
  )
})
