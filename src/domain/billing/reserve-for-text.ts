import type { Surcharges } from '@sluice/dialects/canonical/usage'
import { CALL_UNITS } from '@sluice/dialects/tools/call-units'
import { costOfTokens } from './cost.ts'
import { type Micros, micros } from './micros.ts'
import { servedFactor, times } from './price-text.ts'
import { type TextPrices, UNCHANGED } from './text-prices.ts'

export interface TextReserve {
  /** Usual upper limit of the cost. A request is refused when this much is not available. */
  reserveMicros: Micros
  /** Maximum cost; never below the reserve. */
  possibleMicros: Micros
}

export interface TextBounds {
  inputTokens: number
  /** undefined: only the vendor knows. */
  inputTokensMax: number | undefined
  /** Whether the request names input that it does not contain, which may fill the model's context. */
  refersOutside: boolean
  maxOutputTokens: number | undefined
  /** Number of replies of at most `maxOutputTokens` each. Left out: one. */
  choices?: number
  contextTokens: number | undefined
  /** Requested extras beside tokens: a tier, a speed, a region, and the maximum number of hosted calls. */
  requested?: Surcharges | undefined
}

/** Most replies are shorter, and the excess is charged at the end. A larger reserve would only lock up money. */
const RESERVED_OUTPUT_TOKENS_MAX = 4_096

/** Limits of the largest models, for a model without limits in the catalog. */
const UNKNOWN_CONTEXT_TOKENS = 1_000_000
const UNKNOWN_OUTPUT_TOKENS = 128_000

/**
 * `reserveMicros` covers all input, and at most 4,096 tokens of each reply. Input that the request only names counts as
 * the whole context. `possibleMicros` covers all possible input at the highest input price, the longest replies and the
 * requested calls; there the input and each reply count at most as the context.
 */
export function reserveForText(prices: TextPrices, bounds: TextBounds): TextReserve {
  const { inputTokens, inputTokensMax, refersOutside, maxOutputTokens, contextTokens, requested } = bounds
  const { choices = 1 } = bounds
  const contextMax = contextOf(contextTokens)
  const factor = requested === undefined ? UNCHANGED : servedFactor(prices, requested)
  const reserveMicros = costOf(prices, {
    input: refersOutside ? Math.max(inputTokens, contextMax) : inputTokens,
    inputMicros: prices.inputMicros,
    output: choices * Math.min(maxOutputTokens ?? RESERVED_OUTPUT_TOKENS_MAX, RESERVED_OUTPUT_TOKENS_MAX),
    factor,
  })
  const tokenMicros = costOf(prices, {
    input: Math.min(inputTokensMax ?? contextMax, contextMax),
    inputMicros: micros(Math.max(prices.inputMicros, prices.cacheWriteMicros, prices.longCacheWriteMicros)),
    output: choices * Math.min(maxOutputTokens ?? UNKNOWN_OUTPUT_TOKENS, contextMax),
    factor,
  })
  const possibleMicros = tokenMicros + callsOf(prices, requested?.calls)
  return { reserveMicros, possibleMicros: micros(Math.max(reserveMicros, possibleMicros)) }
}

export function contextOf(contextTokens: number | undefined): number {
  return contextTokens ?? UNKNOWN_CONTEXT_TOKENS
}

function costOf(
  prices: TextPrices,
  parts: { input: number; inputMicros: Micros; output: number; factor: number },
): Micros {
  const { input, inputMicros, output, factor } = parts
  const { longContextTokens, factors, outputMicros } = prices
  const isLong = input > longContextTokens
  const inputFactor = isLong ? times(factor, factors.long_context_input) : factor
  const outputFactor = isLong ? times(factor, factors.long_context_output) : factor
  return costOfTokens([
    { tokens: input, perMillionMicros: micros(times(inputMicros, inputFactor)) },
    { tokens: output, perMillionMicros: micros(times(outputMicros, outputFactor)) },
  ])
}

function callsOf({ callMicros }: TextPrices, calls: Surcharges['calls'] = {}): number {
  return CALL_UNITS.reduce((sum, unit) => sum + (calls[unit] ?? 0) * callMicros[unit], 0)
}
