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
export const HOLD_STATES = ['open', 'settled', 'released', 'expired'] as const

export type HoldState = (typeof HOLD_STATES)[number]
