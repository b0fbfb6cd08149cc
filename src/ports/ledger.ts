import type { Organization } from '../domain/access/organization.ts'
import type { Micros } from '../domain/billing/micros.ts'
import type { CostTerms } from '../domain/video/cost-of-task.ts'
import type { NewAudit } from './audit.ts'

export interface NewHold {
  id: string
  organizationId: string
  /** Whose day it counts against. */
  userId: string
  /** The calendar day of the hold, `YYYY-MM-DD`; it counts there to its end. */
  day: string
  taskId: string | null
  /** The key whose monthly budget bounds it, where it has one. */
  keyId?: string
  amountMicros: Micros
  createdAtMs: number
  expiresAtMs: number
}

/** What one transaction did to a user's day. Each change of a day has the next version. */
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
  /** Or erased, a moment ago: its key was let in before. */
  | { kind: 'organization-disabled' }

export interface Settlement {
  /** What the balance paid. */
  chargedMicros: Micros
  /** What a prepaid balance could not pay. */
  lossMicros: Micros
  day: DayMove
}

export interface ExpiredHold {
  id: string
  kind: 'task' | 'allowance'
  organizationId: string
  taskId: string | null
  /** What went back to what can be spent. */
  amountMicros: Micros
  /** undefined for an allowance, which counts on no day. */
  day: DayMove | undefined
}

export interface LedgerFindings {
  violations: Violation[]
  /** Numbers of invariants for which no time was left. */
  unchecked: number[]
}

/**
 * Money as entries, which are only ever added, and holds, which end once. Who comes second to end a hold gets undefined.
 * A prepaid balance never goes below what is held.
 */
export interface LedgerStore {
  /** One conditional statement admits it. An id, or a task, that has a hold already is our own fault and throws. */
  hold(hold: NewHold): Promise<HoldOutcome>
  /** Charges the cost whatever was held: all of it while the balance allows, else what is left. */
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
   * Undefined when there is no such organization. The same credit given twice counts once; an entry of that id that is
   * something else, and a balance beyond what can be counted, reject with `ApiError('invalid_parameter')`.
   */
  addCredit(credit: NewCredit, audit: NewAudit): Promise<CreditedOrganization | undefined>
  /**
   * Gives a settled charge back, in one part or several that are together at most the charge, and lowers the user's day.
   * The same entry given twice counts once; an entry of that id that is something else rejects with
   * `ApiError('invalid_parameter')`. The audit row gets the organization and the amount.
   */
  refund(refund: NewRefund, audit: NewAudit): Promise<RefundOutcome>
  /** What refunds since that moment did to days, oldest first, at most `limit`. */
  listRefundMoves(query: { sinceMs: number; limit: number }): Promise<RefundMove[]>
  /** The fifteen invariants on one snapshot of the store; every violation found, at most `limit` of each. */
  check(question: { nowMs: number; limit: number }): Promise<Violation[]>
  /** The same, and no invariant is begun after so many milliseconds; left out: without limit. */
  checkWithin(question: {
    nowMs: number
    limit: number
    timeMsMax?: number | undefined
  }): Promise<LedgerFindings>
  /** How many charges are from before measures were kept: no check can compute them again. */
  countUnmeasured(): Promise<number>
  /** What a user's day has come to; nothing yet is version 0. */
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
  /** The entry was there already, and nothing was added. */
  isRepeat: boolean
}

export interface NewRefund {
  entryId: string
  taskId: string
  /** undefined: all that was not given back yet. */
  amountMicros: Micros | undefined
  note: string | null
  atMs: number
}

export type RefundOutcome =
  | {
      kind: 'refunded'
      organizationId: string
      amountMicros: Micros
      /** Of this charge, with the parts before. */
      refundedMicros: Micros
      /** The entry was there already, and nothing was given back now. */
      isRepeat: boolean
    }
  /** The task has no charge, or all of it was given back. */
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
  /** 1 to 15, as `docs/operations.md` numbers them. */
  invariant: number
  /** The organization, hold, task or usage row it is about. */
  subject: string
  /** One sentence with the figures. */
  message: string
}
