import { expect, test } from 'vitest'
import { OutputCount } from './output-count.ts'

test.each<[string, [tokens: number | undefined, outputBytes: number][], number, boolean]>([
  ['no count', [], 0, false],
  ['0 before the first word', [[0, 0]], 0, false],
  ['0 beside words', [[0, 7]], 7, false],
  [
    'a count of all that passed',
    [
      [0, 0],
      [9, 30],
    ],
    30,
    true,
  ],
  ['words after the count', [[9, 30]], 31, false],
  [
    'a count that went down',
    [
      [9, 30],
      [3, 40],
    ],
    40,
    false,
  ],
])('%s', (_name, notes, outputBytes, isOfAll) => {
  const count = new OutputCount()
  for (const [tokens, bytes] of notes) count.note(tokens, bytes)
  expect(count.isOfAll(outputBytes)).toBe(isOfAll)
})
