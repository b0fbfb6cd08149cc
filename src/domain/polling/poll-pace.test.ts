import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { nextPollAtMs } from './poll-pace.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FAR_MS = 1_000 * HOUR_MS

/** Delay between the claim of a task of this age and its next poll, when the vendor answers immediately. */
function waitAt(ageMs: number, more: Partial<Parameters<typeof nextPollAtMs>[0]> = {}): number {
  const at = { createdAtMs: 0, expiresAtMs: FAR_MS, claimedAtMs: ageMs, nowMs: ageMs, sweepIntervalMs: 5_000 }
  return nextPollAtMs({ ...at, ...more }) - ageMs
}

test.each([
  ['every sweep in the first minute', 0, 5_000],
  ['every sweep to the end of the first minute', MINUTE_MS - 1, 5_000],
  ['every 10 s after a minute', MINUTE_MS, 10_000],
  ['every 30 s after ten minutes', 10 * MINUTE_MS, 30_000],
  ['every minute after an hour', HOUR_MS, MINUTE_MS],
  ['every two minutes after six hours', 6 * HOUR_MS, 2 * MINUTE_MS],
  ['every sweep also when the clock was set back', -HOUR_MS, 5_000],
])('%s', (_name, ageMs, waitMs) => {
  expect(waitAt(ageMs)).toBe(waitMs)
})

test('no task is polled more often than the sweep runs', () => {
  expect(waitAt(2 * MINUTE_MS, { sweepIntervalMs: 45_000 })).toBe(45_000)
})

test('a slow answer delays the next poll, but does not slow the pace', () => {
  expect(waitAt(0, { nowMs: 1_000 })).toBe(5_000)
  expect(waitAt(0, { nowMs: 9_000 })).toBe(9_000 + 2_500)
})

test('the vendor may ask for a longer wait, up to a limit', () => {
  expect(waitAt(0, { waitMsMin: 3_000 })).toBe(5_000)
  expect(waitAt(0, { waitMsMin: 40_000 })).toBe(40_000)
  expect(waitAt(0, { waitMsMin: HOUR_MS })).toBe(10 * MINUTE_MS)
})

test('the next poll is in the future, and not after the deadline', () => {
  const ms = fc.integer({ min: 0, max: 3 * HOUR_MS })
  fc.assert(
    fc.property(ms, ms, ms, ms, (nowMs, tookMs, leftMs, waitMsMin) => {
      const at = { createdAtMs: 0, claimedAtMs: nowMs - tookMs, nowMs, sweepIntervalMs: 50, waitMsMin }
      const nextMs = nextPollAtMs({ ...at, expiresAtMs: nowMs + 1 + leftMs })
      expect(nextMs).toBeGreaterThan(nowMs)
      expect(nextMs).toBeLessThanOrEqual(nowMs + 1 + leftMs)
    }),
  )
  expect(waitAt(0, { expiresAtMs: -1 })).toBe(5_000)
})
