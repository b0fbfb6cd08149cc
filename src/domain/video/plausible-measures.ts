import type { VendorMeasures } from './snapshot.ts'

/** Maxima far beyond any video, and far below the limits of money. */
const MAXIMA = {
  completionTokens: 1_000_000_000,
  credits: 10_000_000,
  seconds: 86_400,
} as const satisfies Required<VendorMeasures>

/** Drops measures that no video can have. A vendor's mistake must not become a charge, so the estimate counts instead. */
export function plausibleMeasures({ completionTokens, credits, seconds }: VendorMeasures): VendorMeasures {
  return {
    ...(isPlausible(completionTokens, MAXIMA.completionTokens) ? { completionTokens } : {}),
    ...(isPlausible(credits, MAXIMA.credits) ? { credits } : {}),
    ...(isPlausible(seconds, MAXIMA.seconds) ? { seconds } : {}),
  }
}

function isPlausible(value: number | undefined, max: number): value is number {
  return value !== undefined && value >= 0 && value <= max
}
