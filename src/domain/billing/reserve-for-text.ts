import { costOfTokens } from './cost.ts'
import { type Micros, micros } from './micros.ts'
import type { TextPrices } from './text-prices.ts'

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
  contextTokens: number | undefined
}

/** Most replies are shorter, and what goes beyond is charged at the end: a larger reserve would only lock money up. */
const RESERVED_OUTPUT_TOKENS_MAX = 4_096

/** Of a model whose catalog row does not say: as much as the largest ones can. */
const UNKNOWN_CONTEXT_TOKENS = 1_000_000
const UNKNOWN_OUTPUT_TOKENS = 128_000

/**
 * All its input, and at most 4,096 tokens of its reply; the model's context where the input is only named. What it can
 * cost is all that may go in, at the dearest price of input, and the longest reply; neither is longer than the context.
 */
export function reserveForText(prices: TextPrices, bounds: TextBounds): TextReserve {
  const { inputTokens, inputTokensMax, pointsElsewhere, maxOutputTokens, contextTokens } = bounds
  const contextMax = contextTokens ?? UNKNOWN_CONTEXT_TOKENS
  const input = pointsElsewhere ? Math.max(inputTokens, contextMax) : inputTokens
  const output = Math.min(maxOutputTokens ?? RESERVED_OUTPUT_TOKENS_MAX, RESERVED_OUTPUT_TOKENS_MAX)
  const reserveMicros = costOfTokens([
    { tokens: input, perMillionMicros: prices.inputMicros },
    { tokens: output, perMillionMicros: prices.outputMicros },
  ])
  const possibleMicros = costOfTokens([
    { tokens: Math.min(inputTokensMax ?? contextMax, contextMax), perMillionMicros: dearestInput(prices) },
    {
      tokens: Math.min(maxOutputTokens ?? UNKNOWN_OUTPUT_TOKENS, contextMax),
      perMillionMicros: prices.outputMicros,
    },
  ])
  return { reserveMicros, possibleMicros: micros(Math.max(reserveMicros, possibleMicros)) }
}

function dearestInput({ inputMicros, cacheWriteMicros }: TextPrices): Micros {
  return micros(Math.max(inputMicros, cacheWriteMicros))
}
