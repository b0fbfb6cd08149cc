import { expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsd } from './formats.ts'

test.each([
  [0, '0.00 USD'],
  [1, '0.000001 USD'],
  [5_000_000, '5.00 USD'],
  [5_250_000, '5.25 USD'],
  [5_255_000, '5.255 USD'],
  [-1_500_000, '-1.50 USD'],
  [-1, '-0.000001 USD'],
  [Number.MAX_SAFE_INTEGER, '9007199254.740991 USD'],
])('%i micros are %s', (amount, text) => {
  expect(formatUsd(micros(amount))).toBe(text)
})
