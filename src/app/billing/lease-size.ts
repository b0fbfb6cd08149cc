import { type Micros, micros } from '../../domain/billing/micros.ts'

/** Time that a refill should last, so that the store is not called for each request. */
const WORTH_MS = 5_000
/** Minimum target, in requests, up to `TARGET_MICROS_MAX`. The first lease of an account has this target. */
const REQUESTS_MIN = 64
/** Maximum target, unless one request reserves more. The lease of a dead replica withholds its money for half a minute. */
const TARGET_MICROS_MAX = 5_000_000
/** Shortest time over which usage is measured, so that a short burst does not count as a high pace. */
const MEASURE_MS_MIN = 1_000
/** Factor by which a pace fades with each refill. */
const FADE = 0.5
const SHRINK = 4

export interface Pace {
  microsPerMs: number
  /** Money left right after the last refill. */
  leftMicros: number
  atMs: number
}

export const NO_PACE: Pace = { microsPerMs: 0, leftMicros: 0, atMs: 0 }

/** Measures from refill to refill, so that requests need not measure. */
export function measurePace(pace: Pace, now: { leftMicros: number; atMs: number }): Pace {
  const elapsedMs = Math.max(MEASURE_MS_MIN, now.atMs - pace.atMs)
  const usedMicros = Math.max(0, pace.leftMicros - now.leftMicros)
  return { ...now, microsPerMs: Math.max(usedMicros / elapsedMs, pace.microsPerMs * FADE) }
}

/** Returns the amount that a replica wants. The store gives less if the amount is too large a part of the balance. */
export function targetMicros(pace: Pace, reserveMicros: number): number {
  const atLeast = REQUESTS_MIN * reserveMicros
  const wanted = Math.ceil(WORTH_MS * pace.microsPerMs)
  return Math.min(Math.max(atLeast, wanted), Math.max(TARGET_MICROS_MAX, reserveMicros))
}

/**
 * Returns the amounts to try, largest first. The first one fills the lease to its target. The next ones are a quarter of
 * the one before, while that covers the request. The last one is the missing amount; zero if the lease covers the request.
 */
export function amountsToAsk(lease: {
  targetMicros: number
  leftMicros: number
  needMicros: number
}): Micros[] {
  const missing = Math.max(0, lease.needMicros - lease.leftMicros)
  const amounts: Micros[] = []
  let amount = lease.targetMicros - lease.leftMicros
  while (amount > missing && amount >= lease.needMicros) {
    amounts.push(micros(amount))
    amount = Math.floor(amount / SHRINK)
  }
  amounts.push(micros(missing))
  return amounts
}
