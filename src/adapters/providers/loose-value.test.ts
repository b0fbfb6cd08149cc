import { expect, it } from 'vitest'
import { looseNumber, looseRecord, looseText } from './loose-value.ts'

it.each([
  [5, 5],
  [0, 0],
  [5.5, 5.5],
  ['5', 5],
  [' 5.50 ', 5.5],
])('%j is the number %j', (value, number) => {
  expect(looseNumber(value)).toBe(number)
})

it.each(['', ' ', '-1', '5s', '1e3', '0x10', 'NaN', -1, Number.NaN, Infinity, true, null, [5], {}])(
  '%j is no number',
  (value) => {
    expect(looseNumber(value)).toBeUndefined()
  },
)

it.each([
  ['a', 'a'],
  [' a ', 'a'],
  [7, '7'],
])('%j is the text %j', (value, text) => {
  expect(looseText(value)).toBe(text)
})

/** From this number on, the parser rounds, so the vendor may have sent another number. */
const TOO_LARGE = Number.MAX_SAFE_INTEGER + 1

it.each(['', '  ', 7.5, TOO_LARGE, true, null, undefined, ['a'], {}])('%j is not text', (value) => {
  expect(looseText(value)).toBeUndefined()
})

it.each([null, undefined, [], 'a', 1, true])('%j has no members', (value) => {
  expect(looseRecord(value)).toEqual({})
})
