import { expect, test } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { costOfCredits, costOfSeconds, costOfTokens, MICROS_PER_CREDIT } from './cost.ts'
import { micros } from './micros.ts'

/** Computes the expected cost with whole numbers only, rounded half up. Quantities are in thousandths. */
function model(
  products: readonly (readonly [thousandths: bigint, price: bigint])[],
  divisor: bigint,
): bigint {
  const sum = products.reduce((total, [thousandths, price]) => total + thousandths * price, 0n)
  const whole = 1_000n * divisor
  const rest = sum % whole
  return sum / whole + (2n * rest >= whole ? 1n : 0n)
}

const cost = (tokens: number, usd: number) => costOfTokens([{ tokens, perMillionMicros: micros(usd) }])

test.each([
  [0, 7_000_000, 0],
  [1, 7_000_000, 7],
  [1, 499_999, 0],
  [1, 500_000, 1],
  [3, 500_000, 2],
  [108_900, 7_000_000, 762_300],
  [50_638.5, 7_000_000, 354_470],
  [1_000_000, 1, 1],
  [9_007_199_254_740_991, 1_000_000, 9_007_199_254_740_991],
])('%d tokens at %i micros a million cost %i', (tokens, price, expected) => {
  expect(cost(tokens, price)).toBe(expected)
})

test('the sum of the parts is rounded, not each part', () => {
  const part = { tokens: 1, perMillionMicros: micros(400_000) }
  expect(costOfTokens([part])).toBe(0)
  expect(costOfTokens([part, part])).toBe(1)
  expect(costOfTokens([])).toBe(0)
})

test.each([
  [5, 140_000, 700_000],
  [0.3, 5, 2],
  [0.1, 5, 1],
  [0.1, 4, 0],
  [4.96, 110_000, 545_600],
  [1e-7, 1, 0],
])('%d seconds at %i micros cost %i', (seconds, price, expected) => {
  expect(costOfSeconds({ seconds, perSecondMicros: micros(price) })).toBe(expected)
})

test.each([
  [1, 10_000],
  [12.5, 125_000],
  [0.00005, 1],
  [0, 0],
])('%d credits cost %i micros', (credits, expected) => {
  expect(costOfCredits({ credits, perCreditMicros: MICROS_PER_CREDIT })).toBe(expected)
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300])('%d of anything is not an amount', (amount) => {
  expect(() => cost(amount, 1_000_000)).toThrow(RangeError)
  expect(() => costOfSeconds({ seconds: amount, perSecondMicros: micros(1) })).toThrow(RangeError)
  expect(() => costOfCredits({ credits: amount, perCreditMicros: MICROS_PER_CREDIT })).toThrow(RangeError)
})

const wholeOrDecimal = fc.oneof(
  fc.nat(1_000_000_000).map((whole) => BigInt(whole) * 1_000n),
  fc.nat(10_000_000_000).map(BigInt),
)
const usdPrice = fc.oneof(fc.nat(1_000_000_000_000), fc.constantFrom(0, 1, 499_999, 500_000, 500_001))

test('tokens agree with whole-number arithmetic, small and beyond 2^53', () => {
  const part = fc.record({ thousandths: wholeOrDecimal, price: usdPrice })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const expected = model(
        parts.map(({ thousandths, price }) => [thousandths, BigInt(price)] as const),
        1_000_000n,
      )
      fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
      const found = costOfTokens(
        parts.map(({ thousandths, price }) => ({
          tokens: Number(thousandths) / 1_000,
          perMillionMicros: micros(price),
        })),
      )
      expect(BigInt(found)).toBe(expected)
    }),
    runs(2_000),
  )
})

test('seconds agree with whole-number arithmetic', () => {
  fc.assert(
    fc.property(fc.nat(100_000_000), usdPrice, (thousandths, price) => {
      const expected = model([[BigInt(thousandths), BigInt(price)]], 1n)
      fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
      const found = costOfSeconds({ seconds: thousandths / 1_000, perSecondMicros: micros(price) })
      expect(BigInt(found)).toBe(expected)
    }),
    runs(2_000),
  )
})
