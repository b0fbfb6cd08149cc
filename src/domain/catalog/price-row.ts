import type { Micros } from '../billing/micros.ts'

export const PRICE_UNITS = [
  'video_token',
  'second',
  'input_token',
  'cached_input_token',
  'cache_write_token',
  'output_token',
] as const

export type PriceUnit = (typeof PRICE_UNITS)[number]

/** What one unit of a model costs. An attribute that is null holds for any value; the most specific row wins. */
export interface PriceRow {
  unit: PriceUnit
  resolution: string | null
  videoInput: boolean | null
  audio: boolean | null
  /** For a second, or for a million tokens. */
  priceMicros: Micros
}
