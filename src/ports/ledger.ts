import type { Organization } from '../domain/access/organization.ts'
import type { Micros } from '../domain/billing/micros.ts'
import type { CostTerms } from '../domain/video/cost-of-task.ts'
import type { NewAudit } from './audit.ts'

export interface NewHold {
  id: string
  organizationId: string
  userId: string
  /** Calendar day of the hold, `YYYY-MM-DD`, on which the hold counts until its end. */
  day: string
  taskId: string | null
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

/** Reason why an amount was refused a moment ago. */
export type AmountRefusal =
  /** `availableMicros`: the balance less holds. */
  | { kind: 'insufficient-balance'; availableMicros: Micros }
  /** The balance covers the amount, and a monthly budget of the organization or of the key does not. */
  | { kind: 'budget-exceeded' }
  /** Balance and budgets cover the amount now: other requests held the money, and have given it back meanwhile. */
  | { kind: 'funds-in-use' }

export type HoldOutcome =
  | { kind: 'held'; day: DayMove }
  | AmountRefusal
  | { kind: 'no-organization' }
  /** The organization was disabled or erased after its key was accepted. */
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
  amountMicros: Micros
  /** undefined for an allowance, which counts on no day. */
  day: DayMove | undefined
}

export interface LedgerFindings {
  violations: Violation[]
  unchecked: number[]
}

/** Entries are only added. A hold ends once: a second end returns undefined. Prepaid balances cover their holds. */
export interface LedgerStore {
  /** Admits the hold with one conditional statement. Throws when the id or the task already has a hold, which is a bug. */
  hold(hold: NewHold): Promise<HoldOutcome>
  /** Charges the cost, whatever amount was held. A prepaid balance pays at most what is not held for others. */
  settle(end: {
    holdId: string
    entryId: string
    cost: CostTerms
    atMs: number
  }): Promise<Settlement | undefined>
  release(end: { holdId: string; atMs: number }): Promise<DayMove | undefined>
  /** Ends overdue holds and allowances, oldest first. Holds of open tasks stay. */
  expire(pass: { nowMs: number; limit: number }): Promise<ExpiredHold[]>
  /**
   * Returns undefined for an unknown organization. A repeated credit counts once. Rejects with
   * `ApiError('invalid_parameter')` when another entry has this id, or the balance would leave the countable range.
   */
  addCredit(credit: NewCredit, audit: NewAudit): Promise<CreditedOrganization | undefined>
  /**
   * Refunds a settled charge, in one or several parts that together are at most the charge, and lowers the user's day. A
   * repeated entry counts once; another entry with this id rejects with `ApiError('invalid_parameter')`. The audit row
   * gets the organization and the amount.
   */
  refund(refund: NewRefund, audit: NewAudit): Promise<RefundOutcome>
  /** Lists changes of days by refunds since `sinceMs`, oldest first. */
  listRefundMoves(query: { sinceMs: number; limit: number }): Promise<RefundMove[]>
  /** Checks the fifteen invariants on one snapshot of the store; returns at most `limit` violations of each. */
  check(question: { nowMs: number; limit: number }): Promise<Violation[]>
  /** Like `check`, but begins no invariant after `timeoutMs`. */
  checkWithin(question: {
    nowMs: number
    limit: number
    timeoutMs?: number | undefined
  }): Promise<LedgerFindings>
  /** Counts old charges that cannot be recalculated because their measured quantity was not stored. */
  countUnmeasured(): Promise<number>
  /** The version is 0 when the user has no total for that day. */
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
  /** Whether the entry existed already and this call added nothing. */
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
      /** Whether the entry existed already and this call refunded nothing. */
      isRepeat: boolean
    }
  /** The task or text request has no charge, or all of it was refunded. */
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
  subject: string
  /** One sentence with the figures. */
  message: string
}
