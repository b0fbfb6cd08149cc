import { MICROS_PER_CREDIT } from '../billing/cost.ts'
import { type Micros, micros } from '../billing/micros.ts'
import { plausibleMeasures } from './plausible-measures.ts'
import type { Measured } from './snapshot.ts'

/**
 * The attempts of one task. A task keeps its id, deadline, callback, hold and price for all of them; only its provider,
 * its ticket and its served model are those of the current attempt, and every move names the attempt that it is about.
 *
 *          the vendor takes it           its snapshot
 *   sent --------------------> taken ----------------> succeeded    the task succeeds, at the asked model's price
 *    |  |                        |-------------------> cancelled    the task is cancelled
 *    |  |                        \-------------------> failed       the task fails: no stand-in makes it again
 *    |  |  the vendor refuses it, for a reason of its own
 *    |  \------------------------> refused --> the next stand-in is sent it, in the same create call
 *    |                                          none is left: the create call is refused
 *    |  no answer
 *    \-----------> unresolved    No other attempt begins. A notice can still bring the ticket; else the task fails.
 *
 * A stand-in that refuses a task is passed over. When none is left, the client gets the error of the asked model.
 */
export const ATTEMPT_STATES = ['open', 'refused', 'failed', 'succeeded', 'cancelled'] as const

export type AttemptState = (typeof ATTEMPT_STATES)[number]

/** Why a vendor does not take a task that another one might take. A refusal without one of these is about the order. */
export const REFUSAL_REASONS = {
  unauthorized: 'the vendor does not know our key (401)',
  forbidden: 'our account may not do it (403)',
  rate_limited: 'too much at once (429)',
  no_credit: "our account at the vendor has no credit (family B's 480)",
  concurrency: "our account has too many tasks at once (family B's 481)",
  model_not_open: 'our account may not use the model',
  server_error: 'an answer from 500 to 599',
  unreachable: 'no connection came about, or the breaker is open: certainly nothing was sent',
} as const

export type RefusalReason = keyof typeof REFUSAL_REASONS

/** What the vendor billed, where it says so. */
export function vendorCostOf(measured: Measured): Micros | null {
  const { credits } = plausibleMeasures(measured)
  return credits === undefined ? null : micros(Math.round(credits * MICROS_PER_CREDIT))
}
