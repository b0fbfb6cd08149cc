import type { ColumnType } from 'kysely'
import type { FallbackPrice, RouteRule, WATERMARKS } from '../../domain/catalog/model.ts'
import type { PriceUnit } from '../../domain/catalog/price-row.ts'

export interface ModelsTable {
  model_id: number
  name: string
  /** A JSON array of endpoint names. */
  endpoints: string | null
  max_output_tokens: number | null
  /** Video model whose rules and parameters this model has. */
  like_model: string | null
  /** A JSON array of names of models. */
  fallbacks: string | null
  /** A JSON array of names of models. */
  stand_ins: string | null
  context_tokens: number | null
  fallback_price: FallbackPrice | null
  long_context_tokens: number | null
  /** JSON. */
  vendor_prices: string | null
  /** A JSON array of targets: `{model, weight}`. */
  route: string | null
  route_by: RouteRule | null
  /** JSON of `NextPrices`. */
  next_prices: string | null
  /** Day as `YYYY-MM-DD`, like `ends`. */
  prices_taken: string | null
  ends: string | null
  /** JSON of `ModelBounds`. */
  bounds: string | null
  watermark: (typeof WATERMARKS)[number] | null
  unpublished: ColumnType<boolean | number, boolean | undefined, boolean>
  created_at_ms: number
}

export interface ModelPricesTable {
  model_id: number
  unit: PriceUnit
  resolution: string
  video_input: '*' | 'true' | 'false'
  audio: '*' | 'true' | 'false'
  /** US dollars for a second, a call or a million tokens, or a factor. PostgreSQL returns a text, SQLite a number. */
  price: ColumnType<string | number, string, string>
}

export interface ModelAliasesTable {
  /** Empty: the alias is for every organization. */
  organization_id: string
  alias: string
  model: string
  created_at_ms: number
}
