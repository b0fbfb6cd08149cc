import { expect, test } from 'vitest'
import { overdueError, type Unfinished } from './overdue.ts'

const HOUR_MS = 3_600_000

test.each<[Unfinished, number, RegExp]>([
  ['processing', 24 * HOUR_MS, /24 hours/],
  ['gone', 24 * HOUR_MS, /no longer knows/],
  ['unanswered', 7 * 24 * HOUR_MS, /7 days/],
])('%s: failed at the age of %i ms, not before', (word, ageMs, message) => {
  expect(overdueError(word, ageMs - 1)).toBeUndefined()
  expect(overdueError(word, ageMs)).toEqual({
    code: 'processing_failed',
    message: expect.stringMatching(message),
  })
})

test('a clock that was set back makes nothing overdue', () => {
  expect(overdueError('processing', -HOUR_MS)).toBeUndefined()
})
