import type { Organization } from '../domain/access/organization.ts'
import type { Micros } from '../domain/billing/micros.ts'
import type { CostTerms } from '../domain/video/cost-of-task.ts'
import type { NewAudit } from './audit.ts'

export interface NewHold {
  id: string
  organizationId: string
  /** User whose day it counts against. */
  userId: string
  /** Calendar day of the hold, `YYYY-MM-DD`; it counts there until its end. */
  day: string
  taskId: string | null
  /** Key whose monthly budget bounds it, where it has one. */
  keyId?: string
  amountMicros: Micros
  createdAtMs: number
  expiresAtMs: number
}

/** Change of a user's day in one transaction. Each change of a day has the next version. */
export interface DayMove {
  userId: string
  day: string
  deltaMicros: Micros
  version: number
}

export type HoldOutcome =
  | { kind: 'held'; day: DayMove }
  | { kind: 'insufficient-balance'; availableMicros: Micros }
  | { kind: 'budget-exceeded' }
  | { kind: 'no-organization' }
  /** The organization was disabled or erased a moment ago: its key was accepted before. */
  | { kind: 'organization-disabled' }

export interface Settlement {
  /** Amount that the balance paid. */
  chargedMicros: Micros
  /** Amount that a prepaid balance could not pay. */
  lossMicros: Micros
  day: DayMove
}

export interface ExpiredHold {
  id: string
  kind: 'task' | 'allowance'
  organizationId: string
  taskId: string | null
  /** Amount that can be spent again. */
  amountMicros: Micros
  /** undefined for an allowance, which counts on no day. */
  day: DayMove | undefined
}

export interface LedgerFindings {
  violations: Violation[]
  /** Numbers of invariants that were not checked for lack of time. */
  unchecked: number[]
}

/**
 * Money as entries, which are only added, and holds, which end once. The second caller that ends a hold gets undefined. A
 * prepaid balance never goes below its holds.
 */
export interface LedgerStore {
  /** Admits the hold with one conditional statement. An id, or a task, that has a hold already is a bug and throws. */
  hold(hold: NewHold): Promise<HoldOutcome>
  /** Charges the cost independent of the held amount: all of it while the balance allows, else the rest of the balance. */
  settle(end: {
    holdId: string
    entryId: string
    cost: CostTerms
    atMs: number
  }): Promise<Settlement | undefined>
  release(end: { holdId: string; atMs: number }): Promise<DayMove | undefined>
  /** Ends open holds that are past their deadline, allowances too, the oldest first, at most `limit`. */
  expire(pass: { nowMs: number; limit: number }): Promise<ExpiredHold[]>
  /**
   * Undefined when there is no such organization. A repeated credit counts once; another entry of that id, and a balance
   * beyond the countable range, reject with `ApiError('invalid_parameter')`.
   */
  addCredit(credit: NewCredit, audit: NewAudit): Promise<CreditedOrganization | undefined>
  /**
   * Refunds a settled charge, in one part or several that together are at most the charge, and lowers the user's day. A
   * repeated entry counts once; another entry of that id rejects with `ApiError('invalid_parameter')`. The audit row gets the
   * organization and the amount.
   */
  refund(refund: NewRefund, audit: NewAudit): Promise<RefundOutcome>
  /** Lists changes of days by refunds since that moment, oldest first, at most `limit`. */
  listRefundMoves(query: { sinceMs: number; limit: number }): Promise<RefundMove[]>
  /** Checks the fifteen invariants on one snapshot of the store; returns at most `limit` violations of each. */
  check(question: { nowMs: number; limit: number }): Promise<Violation[]>
  /** Checks like `check`, but begins no invariant after `timeoutMs`; left out: without limit. */
  checkWithin(question: {
    nowMs: number
    limit: number
    timeoutMs?: number | undefined
  }): Promise<LedgerFindings>
  /** Counts old charges whose measured quantity was not stored, so they cannot be recalculated. */
  countUnmeasured(): Promise<number>
  /** Returns the total of a user's day; version 0 when there is none yet. */
  readDay(day: { userId: string; day: string }): Promise<StoredDay>
}

export interface NewCredit {
  entryId: string
  organizationId: string
  amountMicros: Micros
  note: string | null
  atMs: number
}

export interface CreditedOrganization extends Organization {
  /** Whether the entry was there already, and nothing was added. */
  isRepeat: boolean
}

export interface NewRefund {
  entryId: string
  taskId: string
  /** undefined: all that was not refunded yet. */
  amountMicros: Micros | undefined
  note: string | null
  atMs: number
}

export type RefundOutcome =
  | {
      kind: 'refunded'
      organizationId: string
      amountMicros: Micros
      /** Total refunds of this charge, earlier parts included. */
      refundedMicros: Micros
      /** Whether the entry was there already, and nothing was refunded now. */
      isRepeat: boolean
    }
  /** The task has no charge, or all of it was refunded. */
  | { kind: 'nothing-left' }
  | { kind: 'too-much'; leftMicros: Micros }

export interface RefundMove extends DayMove {
  entryId: string
}

export interface StoredDay {
  usedMicros: Micros
  version: number
}

export interface Violation {
  /** Number from 1 to 15, as in `docs/operations.md`. */
  invariant: number
  /** Affected organization, hold, task or usage row. */
  subject: string
  /** One sentence with the figures. */
  message: string
}
