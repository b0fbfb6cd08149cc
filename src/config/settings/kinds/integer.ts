import type { Kind } from './kind.ts'

/** A whole number in plain digits: no sign, no exponent, no separators. */
export function integer({ min, max }: { min: number; max: number }): Kind<number> {
  return {
    takes: `a whole number from ${min} to ${max}`,
    parse(text) {
      if (!/^\d+$/.test(text)) return { wrong: 'is not a whole number in plain digits' }
      const value = Number(text)
      if (value < min) return { wrong: `is below ${min}` }
      if (value > max) return { wrong: `is above ${max}` }
      return { value }
    },
  }
}
