import type { VendorMeasures } from './snapshot.ts'

/** Maxima far beyond any video, and far below the limits of money. */
const MAXIMA = {
  completionTokens: 1_000_000_000,
  credits: 10_000_000,
  seconds: 86_400,
} as const satisfies Required<VendorMeasures>

/**
 * Drops impossible measures, so that the estimate counts instead. A vendor's mistake must not become a charge, and some
 * relays write zeros for missing counts. Credits are a price, which may be zero.
 */
export function plausibleMeasures({ completionTokens, credits, seconds }: VendorMeasures): VendorMeasures {
  return {
    ...(completionTokens !== 0 && isPlausible(completionTokens, MAXIMA.completionTokens)
      ? { completionTokens }
      : {}),
    ...(isPlausible(credits, MAXIMA.credits) ? { credits } : {}),
    ...(seconds !== 0 && isPlausible(seconds, MAXIMA.seconds) ? { seconds } : {}),
  }
}

function isPlausible(value: number | undefined, max: number): value is number {
  return value !== undefined && value >= 0 && value <= max
}
