import { expect, test } from 'vitest'
import { findLineBreak } from './read-frame.ts'

const LENGTHS = [0, 1, 511, 512, 513, 1_023, 1_024, 1_535, 1_536, 1_537, 5_000, 300_000]

test.each(LENGTHS)('the first line break is found behind %i characters', (length) => {
  const line = 'x'.repeat(length)
  for (const ending of ['\n', '\r', '\r\n', '\n\r', `\r${'y'.repeat(2_000)}\n`, `\n${'y'.repeat(2_000)}\r`]) {
    expect(findLineBreak(`${line}${ending}z`, 0)).toBe(length)
    expect(findLineBreak(`a\n${line}${ending}z`, 2)).toBe(length + 2)
  }
  expect(findLineBreak(line, 0)).toBe(-1)
})
