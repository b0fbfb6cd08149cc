import { expect, it } from 'vitest'
import { namePattern } from './list-assets.ts'

it.each([
  ['cat', '%CAT%'],
  ['100%', '%100\\%%'],
  ['a_b', '%A\\_B%'],
  ['a\\b', '%A\\\\B%'],
  ['％', '%\\%%'],
  ['', '%%'],
])('%j is searched with %j', (part, pattern) => {
  expect(namePattern(part)).toBe(pattern)
})

it('a text that is longer than any name matches none', () => {
  expect(namePattern('ﷺ'.repeat(64))).toBeDefined()
  expect(namePattern('ﷺ'.repeat(5_000))).toBeUndefined()
})
