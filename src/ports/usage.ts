import type { Micros } from '../domain/billing/micros.ts'
import type { PriceLine } from '../domain/billing/price-text.ts'
import type { DayMove } from './ledger.ts'

/** What one text request used and cost. */
export interface UsageRow {
  id: string
  /** The id that its answer carried. */
  requestId: string
  organizationId: string
  userId: string
  keyId: string
  /** The model that served. */
  model: string
  /** The model that the client asked for: another one where a fallback served. */
  askedModel: string
  /** The provider that served. */
  provider: string
  /** The model whose prices applied: that of the one asked for where a fallback served at its price. */
  priceModel: string
  /** The vendor's usage object as it came, as JSON; null where it sent none. */
  vendorUsage: string | null
  /** The day it counts on: that of its admission. */
  day: string
  /** Disjoint counts: together they are everything that went in and came out. */
  inputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
  outputTokens: number
  costMicros: Micros
  /** What was measured and the price that applied, line by line; none where the request was free. */
  priceLines: readonly PriceLine[]
  outcome: 'completed' | 'failed' | 'hung-up'
  /** null when nothing came. */
  firstByteMs: number | null
  durationMs: number
  /** Names of what a conversion could not carry. */
  losses: readonly string[]
  createdAtMs: number
}

/** The members of a usage row that are counted. */
export type TextFigures = Pick<
  UsageRow,
  | 'model'
  | 'askedModel'
  | 'provider'
  | 'inputTokens'
  | 'cachedInputTokens'
  | 'cacheWriteTokens'
  | 'outputTokens'
  | 'costMicros'
  | 'outcome'
  | 'firstByteMs'
  | 'durationMs'
>

/**
 * Rows that are written together, all or none. The same group written twice counts once: a group whose answer was lost
 * is tried again as it was, with the same rows. Rows of an organization that is gone are left out.
 */
export interface UsageRowGroup {
  id: string
  rows: readonly UsageRow[]
  /** The allowance each organization's rows are paid from; it may have ended meanwhile. */
  allowances: Readonly<Record<string, string>>
  /** The allowance of its key that a row is paid from, by the row's id; left out where no row has one. */
  keyAllowances?: Readonly<Record<string, string>>
  /** The claim that a row finishes, by the row's id; left out where no row has one. */
  claims?: Readonly<Record<string, string>>
  atMs: number
}

/**
 * What a group did. Nothing when it had been written before and the answer was lost: the days are in the store, and the
 * allowances have paid as much of the cost as they could.
 */
export interface WrittenUsage {
  /** One for each user and day of the group. */
  days: DayMove[]
  /** One for each organization of the group. */
  charges: UsageCharge[]
  /** What each allowance paid, by its hold; there only for a group with allowances of keys. */
  paidMicros?: Readonly<Record<string, Micros>>
  /** Ids of rows that were left out because another request has their claim's key by now; left out where there are none. */
  superseded?: string[]
}

/** How one organization's part of a group was paid. */
export interface UsageCharge {
  organizationId: string
  fromAllowanceMicros: Micros
  /** Straight from the balance, because the allowance was too small or had ended. */
  beyondMicros: Micros
  lossMicros: Micros
}

/** A part of a balance that one replica may spend without asking. */
export interface AllowanceLease {
  holdId: string
  organizationId: string
  /** The key whose monthly budget bounds it too; left out: for all keys without one. */
  keyId?: string
  /** Tried in this order, so largest first. All but the last are given only while four times as much can be spent. */
  amountsMicros: readonly Micros[]
  nowMs: number
  expiresAtMs: number
  /** The calendar month of this moment, `YYYY-MM`; left out: that of the last charge. */
  month?: string
}

export interface UsageStore {
  /**
   * Opens the allowance, or adds to it and puts off its deadline while it is open. Undefined, and nothing changed, when
   * not even the smallest amount is there, when the allowance has ended, or when there is no such organization.
   */
  lease(lease: AllowanceLease): Promise<Micros | undefined>
  /** Asked after a refusal: whether the balance would do and a month's budget, of the organization or of the key, does not. */
  isBudgetSpent(question: {
    organizationId: string
    keyId?: string
    amountMicros: Micros
    month: string
  }): Promise<boolean>
  /** Asked after a refusal too: the balance less what is held; undefined where there is no such organization. */
  availableMicros(organizationId: string): Promise<Micros | undefined>
  /** Puts off the deadline; returns those that are still open. */
  renew(renewal: { holdIds: readonly string[]; expiresAtMs: number }): Promise<string[]>
  /**
   * Gives a part back, at most what the allowance holds, which stays open even when nothing is left; or all of it, which
   * ends the allowance. False when it had ended already.
   */
  giveBack(part: { holdId: string; amountMicros: Micros | 'all'; atMs: number }): Promise<boolean>
  write(group: UsageRowGroup): Promise<WrittenUsage>
}
