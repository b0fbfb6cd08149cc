import { MICROS_PER_CREDIT } from '../billing/cost.ts'
import { type Micros, micros } from '../billing/micros.ts'
import { plausibleMeasures } from './plausible-measures.ts'
import type { Snapshot, VendorMeasures } from './snapshot.ts'
import type { TaskStatus } from './task.ts'

/**
 * The attempts of one task. A task keeps its id, deadline, callback, hold and price for all of them; only its provider,
 * its ticket and its served model are those of the current attempt. A `TaskMove` of an earlier attempt changes nothing.
 *
 *          the vendor takes it           its snapshot
 *   sent --------------------> taken ----------------> succeeded    the task succeeds, at the ordered model's price
 *   ^ |  |                       |-------------------> cancelled    the task is cancelled
 *   | |  |                       \-------------------> failed       about the order, or none is left: the task fails
 *   | |  |                          |  for a reason of the vendor: the next stand-in waits
 *   | |  |                          v
 *   | |  |       the sweep claims it
 *   +-|--|------------------------ waiting
 *     |  |                          ^
 *     |  |  the vendor refuses it, for a reason of its own
 *     |  \--------------------> refused --> during the create call the next stand-in is called directly, else it waits.
 *     |                                      None is left: the create call is refused, or the task fails
 *     |  no answer
 *     \-----------> unresolved    No other attempt begins. A notice can still bring the ticket; else the task fails.
 *
 * The claim of a waiting attempt is stored before its call: after a crash the attempt counts as sent, and is not repeated.
 * `sent`, `taken`, `waiting` and `unresolved` are stored as `open`. A stand-in that refuses a task for a reason of its own
 * is skipped; a refusal about the order ends the attempts. When no stand-in is left, the create call gets the error of the
 * ordered model, and a task that was taken gets the error of the vendor that failed it.
 */
export const ATTEMPT_STATES = ['open', 'refused', 'failed', 'succeeded', 'cancelled'] as const

export type AttemptState = (typeof ATTEMPT_STATES)[number]

/** Reasons of a vendor's refusal that another vendor may not have. All other refusals are about the order. */
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

/** Reason for a stand-in that can no longer make a task, because the catalog or an asset has changed. */
export const NOT_SERVABLE = 'not_servable'

/** Codes that end a task without a stand-in: for a fault of the order, a passed deadline, or a lost answer. */
const FINAL_FAILURES: ReadonlySet<string> = new Set([
  'content_policy_violation',
  'invalid_parameter',
  'task_expired',
  'upstream_error',
])

/** Whether a task that a vendor took and failed may go to a stand-in. */
export function isVendorsFailure({ status, error }: Pick<Snapshot, 'status' | 'error'>): boolean {
  return status === 'failed' && error !== undefined && !FINAL_FAILURES.has(error.code)
}

export function stageOf(input: {
  status: TaskStatus
  attempt: number
  attemptAtMs: number | null
  encryptedTicket: string | null
}): 'waiting' | 'unanswered' | 'taken' {
  const { status, attempt, attemptAtMs, encryptedTicket } = input
  if (encryptedTicket !== null || (attempt === 1 && status !== 'submitting')) return 'taken'
  return attempt > 1 && attemptAtMs === null ? 'waiting' : 'unanswered'
}

export function vendorCostOf(measured: VendorMeasures): Micros | null {
  const { credits } = plausibleMeasures(measured)
  return credits === undefined ? null : micros(Math.round(credits * MICROS_PER_CREDIT))
}
