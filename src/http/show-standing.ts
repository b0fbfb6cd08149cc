import type { FastifyReply } from 'fastify'
import type { RateStanding } from '../ports/rate-meter.ts'

/** Tells a client how its rate limit stands. */
export function showStanding(
  reply: FastifyReply,
  { limitPerMinute, remaining, resetMs }: RateStanding,
): void {
  reply.header('x-ratelimit-limit', limitPerMinute)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', Math.ceil(resetMs / 1_000))
}
