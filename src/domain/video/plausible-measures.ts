import type { Measured } from './snapshot.ts'

/** Far beyond any video, and far below what money cannot hold. */
const MAXIMA = {
  completionTokens: 1_000_000_000,
  credits: 10_000_000,
  seconds: 86_400,
} as const satisfies Required<Measured>

/** Drops what no video can have measured: a vendor's slip of the pen must not become a charge, and the estimate counts. */
export function plausibleMeasures({ completionTokens, credits, seconds }: Measured): Measured {
  return {
    ...(isPlausible(completionTokens, MAXIMA.completionTokens) ? { completionTokens } : {}),
    ...(isPlausible(credits, MAXIMA.credits) ? { credits } : {}),
    ...(isPlausible(seconds, MAXIMA.seconds) ? { seconds } : {}),
  }
}

function isPlausible(value: number | undefined, max: number): value is number {
  return value !== undefined && value >= 0 && value <= max
}
