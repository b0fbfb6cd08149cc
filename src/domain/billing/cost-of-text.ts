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
