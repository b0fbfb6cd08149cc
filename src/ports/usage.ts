import type { Micros } from '../domain/billing/micros.ts'
import type { PriceLine } from '../domain/billing/price-text.ts'
import type { AmountRefusal, DayMove } from './ledger.ts'

export const LOGGED_OPERATIONS = ['messages', 'responses', 'chat', 'embeddings', 'video.create'] as const
export type LoggedOperation = (typeof LOGGED_OPERATIONS)[number]

export interface TextFigures {
  operation: Exclude<LoggedOperation, 'video.create'>
  model: string
  /** Model that the client requested. It differs from `model` where a fallback or a route's target served. */
  askedModel: string
  provider: string
  /** The four counts are disjoint; together they are all input and output. */
  inputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
  outputTokens: number
  costMicros: Micros
  outcome: 'completed' | 'failed' | 'hung-up'
  /** null when the vendor sent no byte of a reply. */
  firstByteMs: number | null
  durationMs: number
}

export interface UsageRow extends TextFigures {
  id: string
  /** HTTP status of the response; a stream that failed after its beginning has 200 and a `code`. */
  status: number
  /** Code of the error that ended the reply; null: none did. */
  code: string | null
  requestId: string
  organizationId: string
  userId: string
  keyId: string
  /** Model whose prices applied: the requested one where a fallback served at its price. */
  priceModel: string
  /** The vendor's usage object as JSON, unchanged; null: the vendor sent none. */
  vendorUsage: string | null
  /** Day of the request's admission, on which the usage counts. */
  day: string
  /** Quantities and the prices that applied, line by line; empty where the request was free. */
  priceLines: readonly PriceLine[]
  losses: readonly string[]
  createdAtMs: number
}

/**
 * Rows that are written together, all or none. A group that is written twice counts once, so a group whose answer was lost
 * is retried unchanged. Rows of a deleted organization are left out.
 */
export interface UsageRowGroup {
  id: string
  rows: readonly UsageRow[]
  /** Allowance that pays the rows of each organization; it may have ended meanwhile. */
  allowances: Readonly<Record<string, string>>
  /** Allowance of the key that pays a row, by the row's id; left out where no row has one. */
  keyAllowances?: Readonly<Record<string, string>>
  /** Claim that a row finishes, by the row's id; left out where no row has one. */
  claims?: Readonly<Record<string, string>>
  atMs: number
}

/** Effects of a group; empty when an earlier write, whose answer was lost, stored and charged the group. */
export interface WrittenUsage {
  days: DayMove[]
  charges: UsageCharge[]
  /** Amount that each allowance paid, by its hold; set only for a group with allowances of keys. */
  paidMicros?: Readonly<Record<string, Micros>>
  /** Ids of rows that were left out because another request has claimed the key of their claim. */
  superseded?: string[]
}

export interface UsageCharge {
  organizationId: string
  fromAllowanceMicros: Micros
  /** Amount from the balance itself, because the allowance was too small or had ended. */
  beyondMicros: Micros
  lossMicros: Micros
}

/** A part of a balance that one replica may spend without a query. */
export interface AllowanceLease {
  holdId: string
  organizationId: string
  /** Key whose monthly budget also bounds the lease; left out: the lease is for all keys without a budget. */
  keyId?: string
  /** Amounts to try, largest first. For each amount except the last, four times as much must be available. */
  amountsMicros: readonly Micros[]
  nowMs: number
  expiresAtMs: number
  /** Calendar month of `nowMs`, `YYYY-MM`; left out: the month of the last charge. */
  month?: string
}

export interface UsageStore {
  /**
   * Opens the allowance, or adds to an open one and extends its deadline. Returns undefined, without a change, when not
   * even the smallest amount is available, the allowance has ended, or the organization is unknown.
   */
  lease(lease: AllowanceLease): Promise<Micros | undefined>
  /** Called after a refusal. Returns undefined for an unknown organization. */
  whyRefused(question: {
    organizationId: string
    keyId?: string
    amountMicros: Micros
    month: string
  }): Promise<AmountRefusal | undefined>
  /** Extends the deadline; returns the allowances that are still open. */
  renew(renewal: { holdIds: readonly string[]; expiresAtMs: number }): Promise<string[]>
  /** Returns money to the store; `all` ends the allowance. Returns false when it had ended already. */
  giveBack(part: { holdId: string; amountMicros: Micros | 'all'; atMs: number }): Promise<boolean>
  write(group: UsageRowGroup): Promise<WrittenUsage>
}
