declare const unit: unique symbol

/** Money: whole millionths of a US dollar. The brand keeps seconds, tokens and dollars out of the sums. */
export type Micros = number & { readonly [unit]: 'micro-usd' }

export const ZERO_MICROS = 0 as Micros

/** Turns a plain number into money; throws for fractions and unsafe numbers. */
export function micros(value: number): Micros {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of micro-USD`)
  return value as Micros
}

/**
 * Money set aside before work is done.
 *
 *   open -> settled    the work cost something: one settlement entry names the hold
 *        -> released   the work was refused, failed or returned the rest
 *        -> expired    its deadline passed before it was settled or released
 *
 * A hold ends once. An allowance is a hold that pays for text requests: it shrinks with every group of usage and ends as
 * released or expired.
 */
const HOLD_STATES = ['open', 'settled', 'released', 'expired'] as const

export type HoldState = (typeof HOLD_STATES)[number]
