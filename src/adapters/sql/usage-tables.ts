import type { UsageRow } from '../../ports/usage.ts'

export interface TextUsageTable {
  id: string
  organization_id: string
  user_id: string
  api_key_id: string
  model: string
  /** Null: the row is older than this column, and the client asked for `model`. */
  asked_model: string | null
  day: string
  input_tokens: number
  cached_input_tokens: number
  cache_write_tokens: number
  output_tokens: number
  cost_micros: number
  outcome: 'completed' | 'failed' | 'hung-up'
  first_byte_ms: number | null
  duration_ms: number
  /** JSON array of names of lost parameters; null when nothing was lost. */
  losses: string | null
  /** JSON array of units, quantities and prices; null: the row is older than this column. */
  price_lines: string | null
  entry_id: string
  created_at_ms: number
  /** Null, as are `provider` and `price_model`, when the row is older than these columns. */
  request_id: string | null
  provider: string | null
  price_model: string | null
  /** Vendor's usage object as JSON, cut when it is long; null when the vendor sent none. */
  vendor_usage: string | null
  /** Time of the ledger entry; null until the row is counted in the rollups. */
  charged_at_ms: number | null
  /** Null, as is `status`, when the row is older than these columns. */
  operation: UsageRow['operation'] | null
  status: number | null
  /** Code of the error that ended the reply. */
  code: string | null
}

export type LogSourceName = 'text_usage' | 'refused_requests'

/** Upper bounds in milliseconds. Values above the last one count as `more`. */
export const FIRST_BYTE_BOUNDS = [100, 250, 500, 1000, 2500, 5000, 10000] as const
export const DURATION_BOUNDS = [250, 1000, 2500, 5000, 15000, 60000, 300000] as const

/**
 * Sums of a rollup. A refund lowers the cost in the hour of the refund. A bucket counts requests whose first
 * byte, or whose end, came within its bound and not within the previous bound. A video lasts from its
 * creation to its settlement.
 */
export type RollupCounts = Record<
  | 'requests'
  | 'errors'
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'cache_write_tokens'
  | 'output_tokens'
  | 'video_ms'
  | 'cost_micros'
  | `first_byte_${(typeof FIRST_BYTE_BOUNDS)[number] | 'more'}`
  | `duration_${(typeof DURATION_BOUNDS)[number] | 'more'}`,
  number
>
