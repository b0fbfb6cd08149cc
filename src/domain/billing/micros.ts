declare const unit: unique symbol

/** Money: whole millionths of a US dollar. The brand keeps seconds, tokens and dollars out of the sums. */
export type Micros = number & { readonly [unit]: 'micro-usd' }

export const ZERO_MICROS = 0 as Micros

/** The one door from a plain number (a row, a price) into money; refuses fractions and what a number cannot hold. */
export function micros(value: number): Micros {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of micro-USD`)
  return value as Micros
}

/**
 * Money set aside before work is done.
 *
 *   open -> settled    the work cost something: one settlement entry names the hold
 *        -> released   the work was refused, failed or gave back what it did not need
 *        -> expired    its deadline passed before it was settled or released
 *
 * A hold ends once. An allowance is a hold that text requests are paid from: it shrinks with every group of usage and
 * ends as released or expired.
 */
const HOLD_STATES = ['open', 'settled', 'released', 'expired'] as const

export type HoldState = (typeof HOLD_STATES)[number]
