import { choosePrice } from '../catalog/choose-price.ts'
import type { PriceRow, PriceUnit } from '../catalog/price-row.ts'
import type { Micros } from './micros.ts'

/** What a million tokens of each kind cost. */
export interface TextPrices {
  inputMicros: Micros
  cachedInputMicros: Micros
  cacheWriteMicros: Micros
  outputMicros: Micros
}

/**
 * A text model sells what goes in and what comes out: without a price for both it is not priced at all.
 * What was read from or written to a cache costs as much as other input unless a row says otherwise.
 */
export function textPricesOf(rows: readonly PriceRow[]): TextPrices | undefined {
  const priceOf = (unit: PriceUnit) =>
    choosePrice(rows, { unit, resolution: null, videoInput: false, audio: false })?.priceMicros
  const inputMicros = priceOf('input_token')
  const outputMicros = priceOf('output_token')
  if (inputMicros === undefined || outputMicros === undefined) return undefined
  return {
    inputMicros,
    cachedInputMicros: priceOf('cached_input_token') ?? inputMicros,
    cacheWriteMicros: priceOf('cache_write_token') ?? inputMicros,
    outputMicros,
  }
}
