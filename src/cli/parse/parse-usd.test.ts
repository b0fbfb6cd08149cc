import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { parseUsd } from './options.ts'

test.each([
  ['5', '5'],
  ['0', '0'],
  ['0.0', '0'],
  ['5.250', '5.25'],
  ['005', '5'],
  ['0.000001', '0.000001'],
  ['0.1', '0.1'],
  ['999999999.999999', '999999999.999999'],
])('%s means %s', (given, meant) => {
  expect(parseUsd(given)).toBe(meant)
})

test.each([
  '',
  ' 5',
  '-5',
  '+5',
  '$5',
  '5 USD',
  '5.',
  '.5',
  '5,5',
  '1e3',
  '0x5',
  'NaN',
  'Infinity',
  '0.0000001',
  '1000000000',
  '9'.repeat(20),
  '9'.repeat(400),
  '٥',
])('refuses %j', (given) => {
  expect(() => parseUsd(given)).toThrow(/US dollars/)
})

test('every amount of whole micros is restored', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 999_999_999_999_999n), (amount) => {
      const text = `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`
      const [dollars = '', decimals = ''] = parseUsd(text).split('.')
      expect(BigInt(dollars) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))).toBe(amount)
    }),
  )
})
