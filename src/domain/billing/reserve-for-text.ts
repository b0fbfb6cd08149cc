import { CALL_UNITS } from '../catalog/price-row.ts'
import { costOfTokens } from './cost.ts'
import { type Micros, micros } from './micros.ts'
import { servedFactor, times } from './price-text.ts'
import type { Surcharges } from './surcharges.ts'
import { type TextPrices, UNCHANGED } from './text-prices.ts'

/** What a text request sets aside before it is sent. */
export interface TextReserve {
  /** What it is likely to cost, from above: without as much it is refused. */
  reserveMicros: Micros
  /** What it can cost at most; never below the reserve. */
  possibleMicros: Micros
}

/** What is known of a request before it is sent. */
export interface TextBounds {
  inputTokens: number
  /** undefined: only the vendor knows. */
  inputTokensMax: number | undefined
  /** All that the model can read may go in. */
  pointsElsewhere: boolean
  /** What the client asked for at most, else what the model can write. */
  maxOutputTokens: number | undefined
  /** How many replies it asks for, each as long as that. Left out: one. */
  choices?: number
  contextTokens: number | undefined
  /** What the request asks for beside tokens: a tier, a speed, a region, and as many hosted calls as there may be. */
  requested?: Surcharges | undefined
}

/** Most replies are shorter, and what goes beyond is charged at the end: a larger reserve would only lock money up. */
const RESERVED_OUTPUT_TOKENS_MAX = 4_096

/** Of a model whose catalog row does not say: as much as the largest ones can. */
const UNKNOWN_CONTEXT_TOKENS = 1_000_000
const UNKNOWN_OUTPUT_TOKENS = 128_000

/**
 * All its input, and at most 4,096 tokens of its reply; the model's context where the input is only named. What it can
 * cost is all that may go in, at the highest price of input, and the longest reply; neither is longer than the context.
 */
export function reserveForText(prices: TextPrices, bounds: TextBounds): TextReserve {
  const { inputTokens, inputTokensMax, pointsElsewhere, maxOutputTokens, contextTokens, requested } = bounds
  const { choices = 1 } = bounds
  const contextMax = contextOf(contextTokens)
  const factor = requested === undefined ? UNCHANGED : servedFactor(prices, requested)
  const reserveMicros = costOf(prices, {
    input: pointsElsewhere ? Math.max(inputTokens, contextMax) : inputTokens,
    inputMicros: prices.inputMicros,
    output: choices * Math.min(maxOutputTokens ?? RESERVED_OUTPUT_TOKENS_MAX, RESERVED_OUTPUT_TOKENS_MAX),
    factor,
  })
  const tokenMicros = costOf(prices, {
    input: Math.min(inputTokensMax ?? contextMax, contextMax),
    inputMicros: dearestInput(prices),
    output: choices * Math.min(maxOutputTokens ?? UNKNOWN_OUTPUT_TOKENS, contextMax),
    factor,
  })
  const possibleMicros = tokenMicros + callsOf(prices, requested?.calls)
  return { reserveMicros, possibleMicros: micros(Math.max(reserveMicros, possibleMicros)) }
}

/** All that a model can read, as far as its catalog row says. */
export function contextOf(contextTokens: number | undefined): number {
  return contextTokens ?? UNKNOWN_CONTEXT_TOKENS
}

interface Counted {
  input: number
  inputMicros: Micros
  output: number
  factor: number
}

function costOf(prices: TextPrices, { input, inputMicros, output, factor }: Counted): Micros {
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

function dearestInput({ inputMicros, cacheWriteMicros, longCacheWriteMicros }: TextPrices): Micros {
  return micros(Math.max(inputMicros, cacheWriteMicros, longCacheWriteMicros))
}
