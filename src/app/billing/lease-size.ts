import { type Micros, micros } from '../../domain/billing/micros.ts'

/** A refill should last about this long, so that the store sees a few calls a minute and not one per request. */
const WORTH_MS = 5_000
/** Of an organization we know nothing about yet: one call to the store for so many requests. */
const REQUESTS_MIN = 64
/** What a dead replica keeps from the others for half a minute. The busiest replica refills a few times a second with it. */
const TARGET_MICROS_MAX = 5_000_000
/** The burst of a moment is no pace: it counts as what was used in a second. A steady one grows from refill to refill. */
const MEASURE_MS_MIN = 1_000
/** How fast a pace is forgotten: half of it with each refill. */
const FADE = 0.5
const SHRINK = 4

/** How fast a lease is used up. */
export interface Pace {
  microsPerMs: number
  /** What was left right after the last refill, and when that was. */
  leftMicros: number
  atMs: number
}

export const NO_PACE: Pace = { microsPerMs: 0, leftMicros: 0, atMs: 0 }

/** Measured from refill to refill, so that a request pays nothing for it. */
export function measurePace(pace: Pace, now: { leftMicros: number; atMs: number }): Pace {
  const elapsedMs = Math.max(MEASURE_MS_MIN, now.atMs - pace.atMs)
  const usedMicros = Math.max(0, pace.leftMicros - now.leftMicros)
  return { ...now, microsPerMs: Math.max(usedMicros / elapsedMs, pace.microsPerMs * FADE) }
}

/** How much a replica wants to have. The store gives less where that would be too large a part of the balance. */
export function targetMicros(pace: Pace, reserveMicros: number): number {
  const atLeast = REQUESTS_MIN * reserveMicros
  const wanted = Math.ceil(WORTH_MS * pace.microsPerMs)
  return Math.min(Math.max(atLeast, wanted), Math.max(TARGET_MICROS_MAX, reserveMicros))
}

/**
 * What to ask for, largest first: up to the target, then a quarter and a quarter again while it serves one request more,
 * at last only what is missing: nothing, where no request waits.
 */
export function amountsToAsk(lease: {
  targetMicros: number
  leftMicros: number
  /** What the first request in the queue reserves. */
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
