/** A vendor's measures of a finished video. */
interface MeasuredVideo {
  completionTokens?: number | undefined
  credits?: number | undefined
}

/** Prices of the list, in micros: for a million tokens, or for a second and a credit of the other vendor. */
const TOKEN_PRICES: Readonly<Record<string, number>> = {
  'vendorA/gen-2.0': 7_000_000,
  'vendorA/gen-2.0-fast': 5_600_000,
}
const SECOND_PRICES: Readonly<Record<string, number>> = { 'vendorB/gen-v4-fast': 110_000 }
const CREDIT_PRICE = 10_000

/** All videos here have five seconds in 720p, with 24 pictures a second and the first one; 1,024 points are a token. */
const SECONDS = 5
const TOKENS = ((24 * SECONDS + 1) * 1_280 * 720) / 1_024

/** Cost of a video that the ordered model made: its vendor's measure, at its price. */
export function costOfVideo(model: string, { completionTokens, credits = 0 }: MeasuredVideo): number {
  return completionTokens === undefined ? credits * CREDIT_PRICE : costOfTokens(model, completionTokens)
}

/** Cost of a video of a stand-in: the estimate for the ordered model, whatever the vendor measures. */
export function estimateOfVideo(model: string): number {
  const perSecond = SECOND_PRICES[model]
  return perSecond === undefined ? costOfTokens(model, TOKENS) : perSecond * SECONDS
}

function costOfTokens(model: string, tokens: number): number {
  return Number((BigInt(tokens) * BigInt(TOKEN_PRICES[model] ?? 0) + 500_000n) / 1_000_000n)
}
