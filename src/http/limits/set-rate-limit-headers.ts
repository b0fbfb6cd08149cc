import type { RateStanding } from '../../ports/rate-meter.ts'
import type { EdgeReply, EdgeRequest } from '../edge-request.ts'

/** Tells a client how its rate limit stands, on whatever it is answered with. */
export function setRateLimitHeaders(request: EdgeRequest, reply: EdgeReply, standing: RateStanding): void {
  request.standing = standing
  reply.headers(standingHeaders(standing))
}

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
