import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { micros } from './micros.ts'
import { formatUsdDecimal, parseUsdMicros } from './usd.ts'

test.each([
  ['7', 7_000_000],
  ['0', 0],
  ['-0', 0],
  ['0.11', 110_000],
  ['0.000001', 1],
  ['4.350000', 4_350_000],
  ['1.1000000000', 1_100_000],
  ['-1.5', -1_500_000],
  ['0007', 7_000_000],
  ['9007199254.740991', Number.MAX_SAFE_INTEGER],
])('%s US dollars are %i micros', (text, amount) => {
  expect(parseUsdMicros(text)).toBe(amount)
})

test.each([
  '',
  ' 7',
  '7 ',
  '+7',
  '$7',
  '7.',
  '.7',
  '1e3',
  '0x7',
  '1_000',
  '1,5',
  'NaN',
  'Infinity',
  '0.0000001',
  '9007199254.740992',
  '9'.repeat(17),
  '٧',
])('%j is not an amount', (text) => {
  expect(parseUsdMicros(text)).toBeUndefined()
})

test('every amount is restored', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amount) => {
      const text = formatUsdDecimal(micros(amount))
      expect(parseUsdMicros(text)).toBe(amount === 0 ? 0 : amount)
      expect(text).toMatch(/^-?\d+(\.\d{0,5}[1-9])?$/)
    }),
  )
})

test('a decimal equals its digits as a whole number', () => {
  fc.assert(
    fc.property(fc.nat(9_000_000_000), fc.stringMatching(/^\d{1,6}$/), (dollars, places) => {
      const expected = BigInt(dollars) * 1_000_000n + BigInt(places.padEnd(6, '0'))
      expect(BigInt(parseUsdMicros(`${dollars}.${places}`) ?? -1)).toBe(expected)
    }),
  )
})
