/** Requests per minute; undefined: no limit. */
export interface RateLimits {
  organizationId: string
  keyId: string
  keyPerMinute: number | undefined
  organizationPerMinute: number | undefined
}

/** How the tighter of the limits stands after this request. */
export interface RateStanding {
  allowed: boolean
  limitPerMinute: number
  remaining: number
  /** Until as many as `limitPerMinute` could be sent at once again. */
  resetMs: number
  /** Until the next request is allowed; 0 when this one was. */
  retryAfterMs: number
}

/**
 * Counts requests against the limits of a key and of its organization. Each limit is a bucket of that many requests that
 * refills evenly over a minute. A refused request takes nothing from either.
 */
export interface RateMeter {
  /** At once in the process; rejects while a shared engine is unreachable. Called only when a limit is set. */
  take(limits: RateLimits): RateStanding | Promise<RateStanding>
}
