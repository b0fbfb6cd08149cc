import type { Caller } from '../../../domain/access/api-key.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { Log } from '../../../ports/log.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { RateLimits, RateMeter, RateStanding } from '../../../ports/rate-meter.ts'
import { watchOutage } from '../outage.ts'

/** undefined: the caller has no limit. Throws or rejects with `RateLimitError` beyond the limit. */
export type CheckRate = (caller: Caller) => RateStanding | undefined | Promise<RateStanding | undefined>

/** The deployment's limit applies to each key, because a limit of the organization would limit all its keys together. */
export function checkRate(tools: {
  meter: RateMeter
  /** Decides while `meter` is unreachable. */
  localMeter: RateMeter
  /** Limit of keys without a limit of their own; 0: none. */
  requestsPerMinute: number
  log: Log
  metrics: Pick<Metrics, 'limitKeptLocally'>
}): CheckRate {
  const { meter, localMeter, requestsPerMinute, log, metrics } = tools
  const outage = watchOutage({ limit: 'rate', log, metrics })

  return (caller) => {
    const keyPerMinute = limitOf(caller.keyRequestsPerMinute ?? requestsPerMinute)
    const organizationPerMinute = limitOf(caller.organizationRequestsPerMinute)
    if (keyPerMinute === undefined && organizationPerMinute === undefined) return undefined
    const { organizationId, keyId } = caller
    const standing = take({ organizationId, keyId, keyPerMinute, organizationPerMinute })
    return standing instanceof Promise ? standing.then(admit) : admit(standing)
  }

  function take(limits: RateLimits): RateStanding | Promise<RateStanding> {
    const standing = meter.take(limits)
    return standing instanceof Promise
      ? standing.then(noteBack, (error) => takeHere(limits, error))
      : standing
  }

  function noteBack(standing: RateStanding): RateStanding {
    outage.ended()
    return standing
  }

  function takeHere(limits: RateLimits, error: unknown): RateStanding | Promise<RateStanding> {
    outage.began(error)
    return localMeter.take(limits)
  }
}

function limitOf(perMinute: number | null): number | undefined {
  return perMinute === null || perMinute === 0 ? undefined : perMinute
}

function admit(standing: RateStanding): RateStanding {
  if (!standing.allowed) throw new RateLimitError(standing)
  return standing
}

/** Error for too many requests, with the state of the limit for the answer's headers. */
export class RateLimitError extends ApiError {
  readonly standing: RateStanding

  constructor(standing: RateStanding) {
    super('rate_limit_exceeded', { retryAfterSeconds: Math.max(1, Math.ceil(standing.retryAfterMs / 1_000)) })
    this.standing = standing
  }
}
