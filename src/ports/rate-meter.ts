/** Requests per minute; undefined: no limit. */
export interface RateLimits {
  organizationId: string
  keyId: string
  keyPerMinute: number | undefined
  organizationPerMinute: number | undefined
}

/** State of the tighter limit after this request. */
export interface RateStanding {
  allowed: boolean
  limitPerMinute: number
  remaining: number
  /** Time until the bucket is full again, with room for `limitPerMinute` requests. */
  resetMs: number
  /** Time until the next request is allowed; 0 when this request was allowed. */
  retryAfterMs: number
}

/**
 * Counts requests against the limits of a key and of its organization. Each limit is a bucket of that many requests, which
 * refills evenly over a minute. A refused request takes nothing from either bucket.
 */
export interface RateMeter {
  /** Called only if a limit is set. The memory engine returns no promise; Redis rejects while it is unreachable. */
  take(limits: RateLimits): RateStanding | Promise<RateStanding>
}
