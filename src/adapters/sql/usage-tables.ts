export interface TextUsageTable {
  id: string
  organization_id: string
  user_id: string
  api_key_id: string
  model: string
  /** null: older than this column, and the same model. */
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
  /** A JSON array of names; null when nothing was lost. */
  losses: string | null
  /** A JSON array of units, quantities and prices; null: older than this column. */
  price_lines: string | null
  entry_id: string
  created_at_ms: number
  /** Like the provider and the model whose prices applied, null: older than this column. */
  request_id: string | null
  provider: string | null
  price_model: string | null
  /** The vendor's usage object as JSON, cut where it is long; null where the vendor sent none. */
  vendor_usage: string | null
  /** The moment of its entry; null until it is counted in the rollups. */
  charged_at_ms: number | null
}

/** Of an hour or a day in UTC: all that was charged in it. */
export interface UsageRollupTable extends RollupCounts {
  organization_id: string
  starts_at_ms: number
  user_id: string
  api_key_id: string
  model: string
  outcome: TextUsageTable['outcome']
}

export interface RollupCounts {
  requests: number
  errors: number
  input_tokens: number
  cached_input_tokens: number
  cache_write_tokens: number
  output_tokens: number
  video_ms: number
  /** Refunds lower it, in the hour of the refund. */
  cost_micros: number
  /** Requests whose first byte came within so many milliseconds, and not within the bound before. */
  first_byte_100: number
  first_byte_250: number
  first_byte_500: number
  first_byte_1000: number
  first_byte_2500: number
  first_byte_5000: number
  first_byte_10000: number
  first_byte_more: number
  /** The same of the whole duration; of a video, from its creation to its settlement. */
  duration_250: number
  duration_1000: number
  duration_2500: number
  duration_5000: number
  duration_15000: number
  duration_60000: number
  duration_300000: number
  duration_more: number
}

/** One row. Rows and hours before these moments may have been dropped. */
export interface UsageRetentionTable {
  id: number
  rows_from_ms: number
  hours_from_ms: number
  /** Days before it are in the sums by model and by key too (`close-days.ts`). */
  closed_to_ms: number
}

/** Replies that clients read again. */
export interface KeptValuesTable {
  key: string
  /** Encrypted. */
  value: string
  /** The name of the share that it takes from; null: it takes from none. */
  share: string | null
  bytes: number
  expires_at_ms: number
}
