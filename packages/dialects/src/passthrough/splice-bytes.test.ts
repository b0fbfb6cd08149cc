import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { type Edit, spliceBytes, spliceLatin1, spliceText } from './splice-bytes.ts'

test('edits in order, at both ends and in between', () => {
  const edits: Edit[] = [
    { start: 0, end: 1, text: 'é' },
    { start: 2, end: 2, text: '--' },
    { start: 4, end: 5, text: '' },
  ]
  expect(spliceText('abcde', edits)).toBe('éb--cd')
  expect(spliceBytes(Buffer.from('abcde'), edits).toString()).toBe('éb--cd')
  expect(spliceLatin1('abcde', edits).toString()).toBe('éb--cd')
})

test('without edits the same bytes are returned', () => {
  const bytes = Buffer.from('abc')
  expect(spliceBytes(bytes, [])).toBe(bytes)
  expect(spliceText('abc', [])).toBe('abc')
})

test('an ASCII text and its bytes are spliced alike', () => {
  const places = fc.uniqueArray(fc.nat(30), { maxLength: 6 }).map((list) => list.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{30}$/), places, fc.string(), (text, at, put) => {
      const edits: Edit[] = []
      for (let index = 0; index + 1 < at.length; index += 2)
        edits.push({ start: at[index] ?? 0, end: at[index + 1] ?? 0, text: put })
      expect(spliceBytes(Buffer.from(text), edits).toString()).toBe(
        Buffer.from(spliceText(text, edits)).toString(),
      )
      expect(spliceLatin1(text, edits)).toEqual(spliceBytes(Buffer.from(text), edits))
    }),
  )
})
