import { expect, test } from 'vitest'
import { base64Problem } from './base64-problem.ts'

test.each([
  'AA',
  'AAA=',
  'AA==',
  'iVBORw0KGgo=',
  'a-b_',
  Buffer.alloc(5_000, 'sluice').toString('base64'),
  `${'A'.repeat(76)}\n${'A'.repeat(77)}\n`,
])('%j may be base64', (data) => {
  expect(base64Problem(data)).toBeUndefined()
})

test.each([
  ['', 'empty'],
  ['data:image/png;base64,AAAA', 'alone'],
  ['DATA:image/png;base64,AAAA', 'alone'],
  ['https://x.example/a.png', 'must be base64'],
  ['AA=A', 'must be base64'],
  ['====', 'must be base64'],
  ['\u0000\u0001', 'must be base64'],
  ['AAAAA', 'cut off'],
  ['AAAAA===', 'must be base64'],
])('%j cannot be base64', (data, word) => {
  expect(base64Problem(data)).toContain(word)
})
