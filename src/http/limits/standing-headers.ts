import type { RateStanding } from '../../ports/rate-meter.ts'

/** Tells a client how its rate limit stands. */
export function standingHeaders({
  limitPerMinute,
  remaining,
  resetMs,
}: RateStanding): Record<string, number> {
  return {
    'x-ratelimit-limit': limitPerMinute,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': Math.ceil(resetMs / 1_000),
  }
}
