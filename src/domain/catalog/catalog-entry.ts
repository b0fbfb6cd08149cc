import type { TextEndpoint } from './dialects.ts'
import type { FallbackPrice } from './model.ts'
import type { PriceRow } from './price-row.ts'

/** One model as a catalog file describes it. What is undefined stays as the store has it. */
export interface CatalogEntry {
  modelId: number
  name: string
  /** null: the default of its provider. */
  endpoints: readonly TextEndpoint[] | null
  maxOutputTokens: number | undefined
  likeModel?: string | undefined
  contextTokens?: number | undefined
  /** In the order they are tried; an empty list takes them away. */
  fallbacks: readonly string[] | undefined
  fallbackPrice?: FallbackPrice | undefined
  longContextTokens?: number | undefined
  /** An empty list takes the prices away. */
  prices: readonly PriceRow[] | undefined
}
