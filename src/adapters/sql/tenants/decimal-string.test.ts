import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { toDecimalString } from './users.ts'

describe('a decimal has one spelling', () => {
  test.each([
    ['5.000000', '5'],
    ['5.250000', '5.25'],
    ['100', '100'],
    ['100.000000', '100'],
    ['0.000001', '0.000001'],
    ['0.000000', '0'],
    [5, '5'],
    [100, '100'],
    [0.1 + 0.2, '0.3'],
    [1e-6, '0.000001'],
    [-0, '0'],
    [-0.0000001, '0'],
    [-3.5, '-3.5'],
  ])('%s is %s', (value, spelled) => {
    expect(toDecimalString(value)).toBe(spelled)
  })

  test('from any engine', () => {
    const micros = fc.integer({ min: -1_000_000_000_000_000, max: 1_000_000_000_000_000 })
    fc.assert(
      fc.property(micros, (value) => {
        const digits = String(Math.abs(value)).padStart(7, '0')
        const text = `${value < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
        expect(toDecimalString(Number(text))).toBe(toDecimalString(text))
      }),
    )
  })
})
