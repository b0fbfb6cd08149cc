import type { ModelEndpoint } from './dialects.ts'
import type { PriceRow } from './price-row.ts'

export const FALLBACK_PRICES = ['lower', 'asked', 'served'] as const

export type FallbackPrice = (typeof FALLBACK_PRICES)[number]

/** One row of the catalog: a model clients may name, as `<provider>/<model_name>`. */
export interface Model {
  /** The integer the admin endpoints call `model_id`. */
  modelId: number
  name: string
  /** Where a text model is offered; null: the default of its provider, or a video model. */
  endpoints: readonly ModelEndpoint[] | null
  maxOutputTokens: number | null
  /** The video model of a family that this one works like, under its own name and prices; left out: it is no such model. */
  likeModel?: string
  /** How many tokens it can read and write in one request; left out: not known. */
  contextTokens?: number
  /** Text models to try, in this order, while this one's vendor fails; left out: none. */
  fallbacks?: readonly string[]
  /** Which model's price a request costs that a fallback served; left out: the lower of the two. */
  fallbackPrice?: FallbackPrice
  /** With more input than this a context is long, and dearer; left out: 200,000. */
  longContextTokens?: number
  /** What the vendor charges, to compare with; no request is charged by it. Left out: not known. */
  vendorPrices?: readonly PriceRow[]
  createdAtMs: number
}

/** `<provider>/<model_name>` in its two parts; a name without a slash is all provider. */
export function splitModelName(name: string): { provider: string; model: string } {
  const slash = name.indexOf('/')
  return slash === -1
    ? { provider: name, model: name }
    : { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}

export interface PricedModel extends Model {
  prices: readonly PriceRow[]
}

/** One model as a catalog file describes it. What is undefined stays as the store has it. */
export interface CatalogEntry {
  modelId: number
  name: string
  /** null: the default of its provider. */
  endpoints: readonly ModelEndpoint[] | null
  maxOutputTokens: number | undefined
  likeModel?: string | undefined
  contextTokens?: number | undefined
  /** In the order they are tried; an empty list takes them away. */
  fallbacks: readonly string[] | undefined
  fallbackPrice?: FallbackPrice | undefined
  longContextTokens?: number | undefined
  /** An empty list takes them away. */
  vendorPrices?: readonly PriceRow[] | undefined
  /** An empty list takes the prices away. */
  prices: readonly PriceRow[] | undefined
}
