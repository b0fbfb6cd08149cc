import { Refusal } from '../../domain/refusal.ts'
import type { RateStanding } from '../../ports/rate-meter.ts'

/** Too many requests, with how the limit stands: a client is told so on every answer, this one included. */
export class RateRefusal extends Refusal {
  readonly standing: RateStanding

  constructor(standing: RateStanding) {
    super('rate_limit_exceeded', { retryAfterSeconds: Math.max(1, Math.ceil(standing.retryAfterMs / 1_000)) })
    this.standing = standing
  }
}
