import { expect, test } from 'vitest'
import { inChunks } from './in-chunks.ts'

test.each([
  [0, []],
  [1, [1]],
  [9, [8, 1]],
  [64, [64]],
  [500, [64, 64, 64, 64, 64, 64, 64, 8, 8, 8, 8, 8, 8, 1, 1, 1, 1]],
])('%i items are split into pieces of %j, in order', (count, sizes) => {
  const items = Array.from({ length: count }, (_, index) => index)
  const chunks = inChunks(items)
  expect(chunks.map(({ length }) => length)).toEqual(sizes)
  expect(chunks.flat()).toEqual(items)
})
