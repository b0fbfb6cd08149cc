import { expect, test } from 'vitest'
import { parseCount, parseName } from './options.ts'

const upToTen = parseCount({ max: 10 })

test.each([
  ['1', 1],
  ['10', 10],
  ['007', 7],
])('%s is the count %i', (given, count) => {
  expect(upToTen(given)).toBe(count)
})

test.each(['0', '11', '-1', '+1', '1.0', '1e1', '', ' 1', 'ten', '9'.repeat(30)])(
  '%j is no count',
  (given) => {
    expect(() => upToTen(given)).toThrow('Use a whole number from 1 to 10.')
  },
)

test.each([
  [' Acme Ltd ', 'Acme Ltd'],
  ['水门', '水门'],
  ['💧'.repeat(200), '💧'.repeat(200)],
])('%j is the name %j', (given, name) => {
  expect(parseName(given)).toBe(name)
})

test.each(['', '  ', 'a\nb', 'a\u0000', '\u001b[2J', '\ud800', 'x'.repeat(201)])(
  '%j is not a name',
  (given) => {
    expect(() => parseName(given)).toThrow(/A name/)
  },
)
