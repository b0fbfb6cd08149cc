/**
 * A bucket of `perMinute` requests that refills evenly over a minute, kept as a debt. Each request adds 60,000,000 (the
 * microseconds of a minute), and each microsecond pays back `perMinute`. All numbers are whole, so rounding never loses
 * the last request of a full bucket.
 */
export interface RateBucket {
  debt: number
  atUs: number
}

export const REQUEST_DEBT = 60_000_000

/** Debt at this moment. A clock that went back pays nothing, and a lowered limit cancels the debt beyond it. */
export function debtAt(bucket: RateBucket | undefined, perMinute: number, nowUs: number): number {
  if (bucket === undefined) return 0
  const paid = Math.max(0, nowUs - bucket.atUs) * perMinute
  return Math.min(Math.max(0, bucket.debt - paid), REQUEST_DEBT * perMinute)
}

export function hasRoom(debt: number, perMinute: number): boolean {
  return debt + REQUEST_DEBT <= REQUEST_DEBT * perMinute
}

/** State of a bucket. `debt` includes this request only if the request was allowed. */
export interface RateReading {
  perMinute: number
  debt: number
}

export interface TighterReading {
  limitPerMinute: number
  remaining: number
  resetMs: number
  retryAfterMs: number
}

/** The bucket that allows less: the longer wait of a refused request, else the fewer requests left. */
export function tighterOf(readings: readonly RateReading[], allowed: boolean): TighterReading {
  let tightest: TighterReading | undefined
  for (const reading of readings) {
    const standing = stand(reading, allowed)
    if (tightest === undefined || isTighter(standing, tightest)) tightest = standing
  }
  if (tightest === undefined) throw new RangeError('no limits were given')
  return tightest
}

function isTighter(one: TighterReading, other: TighterReading): boolean {
  if (one.retryAfterMs !== other.retryAfterMs) return one.retryAfterMs > other.retryAfterMs
  if (one.remaining !== other.remaining) return one.remaining < other.remaining
  return one.resetMs > other.resetMs
}

function stand({ perMinute, debt }: RateReading, allowed: boolean): TighterReading {
  const owedForNext = debt + REQUEST_DEBT - REQUEST_DEBT * perMinute
  return {
    limitPerMinute: perMinute,
    remaining: Math.max(0, Math.floor((REQUEST_DEBT * perMinute - debt) / REQUEST_DEBT)),
    resetMs: paidOffMs(debt, perMinute),
    retryAfterMs: allowed ? 0 : paidOffMs(Math.max(0, owedForNext), perMinute),
  }
}

/** Rounds up twice, so a client that waits this long has waited long enough. */
function paidOffMs(debt: number, perMinute: number): number {
  return Math.ceil(Math.ceil(debt / perMinute) / 1_000)
}
