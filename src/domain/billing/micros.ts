declare const unit: unique symbol

/** Money: whole millionths of a US dollar. The brand keeps seconds, tokens and dollars out of the sums. */
export type Micros = number & { readonly [unit]: 'micro-usd' }

export const ZERO_MICROS = 0 as Micros

/** The one door from a plain number (a row, a price) into money; refuses fractions and what a number cannot hold. */
export function micros(value: number): Micros {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of micro-USD`)
  return value as Micros
}
