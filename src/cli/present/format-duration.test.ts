import { expect, test } from 'vitest'
import { formatDuration } from './formats.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [999, '0 s'],
  [SECOND, '1 s'],
  [59 * SECOND + 999, '59 s'],
  [MINUTE, '1 min'],
  [2 * MINUTE + 5 * SECOND, '2 min 5 s'],
  [HOUR + 59 * SECOND, '1 h'],
  [HOUR + MINUTE + 59 * SECOND, '1 h 1 min'],
  [2 * DAY, '2 d'],
  [DAY + 4 * HOUR + 30 * MINUTE, '1 d 4 h'],
])('%d ms are %s', (spanMs, text) => {
  expect(formatDuration(spanMs)).toBe(text)
})
