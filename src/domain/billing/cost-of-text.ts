import { costOfTokens } from './cost.ts'
import type { Micros } from './micros.ts'
import type { TextPrices } from './text-prices.ts'

/** Disjoint counts: together they are everything that went in and came out. */
export interface TextTokens {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
}

export function costOfText(prices: TextPrices, tokens: TextTokens): Micros {
  return costOfTokens([
    { tokens: tokens.input, perMillionMicros: prices.inputMicros },
    { tokens: tokens.cachedInput, perMillionMicros: prices.cachedInputMicros },
    { tokens: tokens.cacheWrite, perMillionMicros: prices.cacheWriteMicros },
    { tokens: tokens.output, perMillionMicros: prices.outputMicros },
  ])
}

/** Most replies are shorter, and what goes beyond is charged at the end: a larger reserve would only lock money up. */
const RESERVED_OUTPUT_TOKENS_MAX = 4_096

/** What to set aside before a text request: all its input, and at most 4,096 tokens of its reply. */
export function reserveForText(
  prices: TextPrices,
  { inputTokens, maxOutputTokens }: { inputTokens: number; maxOutputTokens: number | undefined },
): Micros {
  const outputTokens = Math.min(maxOutputTokens ?? RESERVED_OUTPUT_TOKENS_MAX, RESERVED_OUTPUT_TOKENS_MAX)
  return costOfTokens([
    { tokens: inputTokens, perMillionMicros: prices.inputMicros },
    { tokens: outputTokens, perMillionMicros: prices.outputMicros },
  ])
}
