import { expect, test } from 'vitest'
import { change, duration, microsOf, shortId, usd, usdShort } from './format.ts'

test.each([
  [0, '$0.00'],
  [1, '$0.000001'],
  [2_224_992, '$2.224992'],
  [12_500_000, '$12.50'],
  [-5_000_000, '-$5.00'],
])('%i micros are written as %s', (micros, text) => {
  expect(usd(micros)).toBe(text)
})

test.each([
  [1_500, '$0.0015'],
  [12_345_678, '$12.35'],
  [12_345_678_900, '$12.3K'],
])('%i micros in short are %s', (micros, text) => {
  expect(usdShort(micros)).toBe(text)
})

test.each([
  ['12.5', 12_500_000],
  ['$0.000001', 1],
  ['-5', -5_000_000],
  ['', undefined],
  ['1e3', undefined],
  ['1,000', undefined],
  ['0.0000001', undefined],
  ['12.', undefined],
])('the typed amount %j is %j micros', (text, micros) => {
  expect(microsOf(text)).toBe(micros)
})

test.each([
  [340, '340 ms'],
  [1_440, '1.4 sec'],
  [65_000, '1 min 5 sec'],
  [90_000_000, '1 day 1 hr'],
])('%i ms last %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test('a change needs an earlier value above zero', () => {
  expect(change(112, 100)).toBe('+12%')
  expect(change(100, 0)).toBe('')
})

test('a long id is cut in its middle', () => {
  expect(shortId('task_01a1e5dcfebd0000aecb4d5a4e96aa34')).toBe('task_01a1…96aa34')
  expect(shortId('key_1')).toBe('key_1')
})
