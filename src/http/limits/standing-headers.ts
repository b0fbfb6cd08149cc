import type { RateStanding } from '../../ports/rate-meter.ts'

/** Headers that show a client its rate limit. */
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
