import { expect, test } from 'vitest'
import { callbackOutcome } from './callback-retry.ts'

const judge = (status: number | null, attemptsLeft = 2, mayBeRepeated = true) =>
  callbackOutcome({ status, attemptsLeft, mayBeRepeated })

test.each([200, 201, 204, 299])('%i is delivered', (status) => {
  for (const left of [2, 1, 0]) expect(judge(status, left)).toEqual({ outcome: 'delivered', delayMs: null })
})

test.each([300, 301, 302, 307, 400, 404, 410, 429, 499])('%i ends it', (status) => {
  expect(judge(status)).toEqual({ outcome: 'given-up', delayMs: null })
})

test.each([500, 502, 503, 599, null])(
  'after %s it is sent again in 1 s, then in 3 s, then no more',
  (status) => {
    expect(judge(status, 2)).toEqual({ outcome: 'again', delayMs: 1_000 })
    expect(judge(status, 1)).toEqual({ outcome: 'again', delayMs: 3_000 })
    expect(judge(status, 0)).toEqual({ outcome: 'given-up', delayMs: null })
  },
)

test('what could not be sent and never will be is not tried again', () => {
  expect(judge(null, 2, false)).toEqual({ outcome: 'given-up', delayMs: null })
})
