import { expect, test } from 'vitest'
import { callbackOutcome, EXTENDED_ATTEMPTS_MAX, EXTENDED_MS, extendedOutcome } from './callback-retry.ts'

const judge = (status: number | null, attemptsLeft = 2, mayBeRepeated = true) =>
  callbackOutcome({ status, attemptsLeft, mayBeRepeated })

test.each([200, 201, 204, 299])('%i is delivered', (status) => {
  for (const left of [2, 1, 0]) expect(judge(status, left)).toEqual({ outcome: 'delivered', delayMs: null })
})

test.each([300, 301, 302, 307, 400, 404, 410, 429, 499])('%i ends the callback', (status) => {
  expect(judge(status)).toEqual({ outcome: 'given-up', delayMs: null })
})

test.each([500, 502, 503, 599, null])(
  'after %s the callback is sent again in 1 s, then in 3 s, then no more',
  (status) => {
    expect(judge(status, 2)).toEqual({ outcome: 'again', delayMs: 1_000 })
    expect(judge(status, 1)).toEqual({ outcome: 'again', delayMs: 3_000 })
    expect(judge(status, 0)).toEqual({ outcome: 'given-up', delayMs: null })
  },
)

test('a callback that cannot be sent is not retried', () => {
  expect(judge(null, 2, false)).toEqual({ outcome: 'given-up', delayMs: null })
})

const HOUR_MS = 3_600_000

function judgeExtended(
  status: number | null,
  {
    attempt = 1,
    mayBeRepeated = true,
    msLeft = EXTENDED_MS,
    retryAfterMs = undefined as number | undefined,
  } = {},
) {
  const attemptsLeft = EXTENDED_ATTEMPTS_MAX - attempt
  return extendedOutcome({ status, attemptsLeft, mayBeRepeated, retryAfterMs }, msLeft)
}

test.each([408, 425, 429, 500, 502, 599, null])(
  'extended: after %s the pauses grow up to an hour',
  (status) => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 29].map((attempt) => judgeExtended(status, { attempt }).delayMs)
    expect(pauses).toEqual([1_000, 3_000, 10_000, 60_000, 300_000, 1_800_000, HOUR_MS, HOUR_MS])
  },
)

test.each([301, 400, 401, 404, 409, 410, 422, 499])('extended: %i ends the callback', (status) => {
  expect(judgeExtended(status)).toEqual({ outcome: 'given-up', delayMs: null })
})

test('extended: 2xx means delivered, and a callback that cannot be sent is given up', () => {
  expect(judgeExtended(204)).toEqual({ outcome: 'delivered', delayMs: null })
  expect(judgeExtended(null, { mayBeRepeated: false })).toEqual({ outcome: 'given-up', delayMs: null })
})

test('extended: a callback is given up after 24 hours, or after its last attempt', () => {
  expect(judgeExtended(500, { attempt: 9, msLeft: HOUR_MS })).toMatchObject({ outcome: 'again' })
  expect(judgeExtended(500, { attempt: 9, msLeft: HOUR_MS - 1 })).toMatchObject({ outcome: 'given-up' })
  expect(judgeExtended(500, { attempt: EXTENDED_ATTEMPTS_MAX })).toMatchObject({ outcome: 'given-up' })
})

test.each([
  ['a longer delay wins', 1, 7_000, 7_000],
  ['a shorter delay wins', 7, 90_000, 90_000],
  ['an hour is the longest delay', 1, 2 * HOUR_MS, HOUR_MS],
  ['the first pauses are not shortened', 2, 0, 3_000],
  ['a minute is the shortest delay after the first pauses', 7, 0, 60_000],
])('extended, with Retry-After: %s', (_what, attempt, retryAfterMs, delayMs) => {
  expect(judgeExtended(429, { attempt, retryAfterMs })).toEqual({ outcome: 'again', delayMs })
})
