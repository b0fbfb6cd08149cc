import type { TextTokens } from '@sluice/dialects/canonical/usage'
import { CALL_UNITS, type CallUnit } from '@sluice/dialects/tools/call-units'
import { choosePrice } from '../catalog/choose-price.ts'
import { kindOf } from '../catalog/endpoints-of.ts'
import type { PricedModel } from '../catalog/model.ts'
import { FACTOR_UNITS, type FactorUnit, type PriceRow, type PriceUnit } from '../catalog/price-row.ts'
import { costOfTokens } from './cost.ts'
import { type Micros, micros, ZERO_MICROS } from './micros.ts'

/** Prices of a million tokens of each kind, prices of calls, and factors on tokens. */
export interface TextPrices {
  inputMicros: Micros
  cachedInputMicros: Micros
  cacheWriteMicros: Micros
  longCacheWriteMicros: Micros
  outputMicros: Micros
  callMicros: Readonly<Record<CallUnit, Micros>>
  /** In millionths. */
  factors: Readonly<Record<FactorUnit, number>>
  /** A context with more input is long. */
  longContextTokens: number
}

/** A factor of one. */
export const UNCHANGED = 1_000_000

const LONG_CONTEXT_TOKENS = 200_000

/** The highest known list prices: clients can choose these calls, and must not pay less than the vendor charges. */
const CALL_DEFAULTS: Readonly<Record<CallUnit, number>> = {
  web_search_call: 25_000,
  file_search_call: 2_500,
  image_generation_call: 500_000,
  code_session: 50_000,
}

const FACTOR_DEFAULTS: Readonly<Record<FactorUnit, number>> = {
  priority_tier: 2_500_000,
  fast_speed: 6_000_000,
  flex_tier: UNCHANGED,
  regional_inference: 1_100_000,
  long_context_input: 2_000_000,
  long_context_output: 1_500_000,
}

/** A model for embeddings has no counted output and no long context. */
export function tokenPricesOf(model: PricedModel): TextPrices | undefined {
  const { prices, longContextTokens } = model
  return kindOf(model) === 'embedding'
    ? textPricesOf([...prices, FREE_OUTPUT], Number.MAX_SAFE_INTEGER)
    : textPricesOf(prices, longContextTokens)
}

const ANY = { resolution: null, videoInput: null, audio: null }
const FREE_OUTPUT: PriceRow = { unit: 'output_token', ...ANY, priceMicros: ZERO_MICROS }

/** Requires input and output prices. Defaults: cached input and cache writes cost as input, long cache writes twice. */
export function textPricesOf(
  rows: readonly PriceRow[],
  longContextTokens = LONG_CONTEXT_TOKENS,
): TextPrices | undefined {
  const priceOf = (unit: PriceUnit) =>
    choosePrice(rows, { unit, resolution: null, videoInput: false, audio: false })?.priceMicros
  const inputMicros = priceOf('input_token')
  const outputMicros = priceOf('output_token')
  if (inputMicros === undefined || outputMicros === undefined) return undefined
  const cacheWriteMicros = priceOf('cache_write_token') ?? inputMicros
  const chosen = <Unit extends PriceUnit>(units: readonly Unit[], defaults: Record<Unit, number>) =>
    Object.fromEntries(units.map((unit) => [unit, priceOf(unit) ?? defaults[unit]]))
  return {
    inputMicros,
    cachedInputMicros: priceOf('cached_input_token') ?? inputMicros,
    cacheWriteMicros,
    longCacheWriteMicros:
      priceOf('long_cache_write_token') ?? micros(Math.max(2 * inputMicros, cacheWriteMicros)),
    outputMicros,
    callMicros: chosen(CALL_UNITS, CALL_DEFAULTS) as Record<CallUnit, Micros>,
    factors: chosen(FACTOR_UNITS, FACTOR_DEFAULTS) as Record<FactorUnit, number>,
    longContextTokens,
  }
}

/** Returns the highest of each price and factor, and the lowest limit of a long context. */
export function dearestOf(all: readonly TextPrices[]): TextPrices | undefined {
  return all.reduce<TextPrices | undefined>(
    (dearest, prices) => (dearest === undefined ? prices : dearerOf(dearest, prices)),
    undefined,
  )
}

function dearerOf(one: TextPrices, other: TextPrices): TextPrices {
  const higher = (a: number, b: number) => micros(Math.max(a, b))
  const each = <Unit extends string, Value extends number>(
    a: Readonly<Record<Unit, Value>>,
    b: Readonly<Record<Unit, Value>>,
  ) => {
    const highest: Record<Unit, Value> = { ...a }
    for (const unit in a) if (b[unit] > a[unit]) highest[unit] = b[unit]
    return highest
  }
  return {
    inputMicros: higher(one.inputMicros, other.inputMicros),
    cachedInputMicros: higher(one.cachedInputMicros, other.cachedInputMicros),
    cacheWriteMicros: higher(one.cacheWriteMicros, other.cacheWriteMicros),
    longCacheWriteMicros: higher(one.longCacheWriteMicros, other.longCacheWriteMicros),
    outputMicros: higher(one.outputMicros, other.outputMicros),
    callMicros: each(one.callMicros, other.callMicros),
    factors: each(one.factors, other.factors),
    longContextTokens: Math.min(one.longContextTokens, other.longContextTokens),
  }
}

export function costOfText(prices: TextPrices, tokens: TextTokens): Micros {
  return costOfTokens([
    { tokens: tokens.input, perMillionMicros: prices.inputMicros },
    { tokens: tokens.cachedInput, perMillionMicros: prices.cachedInputMicros },
    { tokens: tokens.cacheWrite, perMillionMicros: prices.cacheWriteMicros },
    { tokens: tokens.output, perMillionMicros: prices.outputMicros },
  ])
}
