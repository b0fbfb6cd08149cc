import type { ServerResponse } from 'node:http'
import type { RateStanding } from '../ports/rate-meter.ts'

/**
 * Tells a client how its rate limit stands. Set on Node's own response: these headers go along whoever writes the head,
 * the framework, a prepared answer or a stream of ours.
 */
export function showStanding(
  response: ServerResponse,
  { limitPerMinute, remaining, resetMs }: RateStanding,
): void {
  response.setHeader('x-ratelimit-limit', limitPerMinute)
  response.setHeader('x-ratelimit-remaining', remaining)
  response.setHeader('x-ratelimit-reset', Math.ceil(resetMs / 1_000))
}
