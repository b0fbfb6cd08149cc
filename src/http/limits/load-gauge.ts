import { ApiError } from '../../domain/api-error.ts'
import { sharesOf } from '../../domain/slot-shares.ts'
import { holderOf } from '../body/json-body.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'

export interface LoadLimits {
  /** Limit of requests of known callers in flight. */
  inFlightMax: number
  /**
   * Limit for the lag of the event loop, smoothed over a few samples, and for the wait of an organization's costly
   * bodies.
   */
  lagMsMax: number
}

/** Expected wait of one more costly body of an organization. */
type WaitMsOf = (holder: string) => number

/** Measures the load of this process by organization. It has no clock and no timer: others report to it. */
export interface LoadGauge {
  readonly inFlight: number
  begin(holder: string): void
  end(holder: string): void
  observeLag(lagMs: number): void
  /** Counter of begun requests of others; for a holder with requests in flight. */
  begunBeside(holder: string): number
  /** Returns an error when one more request of this organization is not accepted. */
  apiErrorFor(holder: string): ApiError | undefined
  /** Whether a request without an organization is not accepted. */
  isOver(): boolean
}

/** Weight of a new sample, whose value is capped: one slow turn has little effect. */
const WEIGHT = 0.5
const SAMPLE_LIMITS_MAX = 1.5

/** Created once: a busy process refuses thousands of requests per second. */
const OVERLOADED = new ApiError('overloaded')
const BEYOND_SHARE = new ApiError('rate_limit_exceeded', { message: 'Too many requests at once.' })

/** With fewer requests in flight the machine causes the lag: refusing a request would not help. */
export const CALM_IN_FLIGHT = 32

export function createLoadGauge(
  { inFlightMax, lagMsMax }: LoadLimits,
  waitMsOf: WaitMsOf = () => 0,
): LoadGauge {
  const { each: eachMax, reserved } = sharesOf(inFlightMax, 8)
  const held = new Map<string, { inFlight: number; begun: number }>()
  let inFlight = 0
  let begun = 0
  let smoothedLagMs = 0

  function isLate(): boolean {
    return inFlight >= CALM_IN_FLIGHT && smoothedLagMs > lagMsMax
  }

  /** Whether its requests would wait longer than a client should. */
  function isBehind(holder: string, own: number): boolean {
    return own >= CALM_IN_FLIGHT && waitMsOf(holder) > lagMsMax
  }

  /** When the share of one organization is in use, each gets an equal part, and the last slots are reserved. */
  function isBeyondShare(own: number): boolean {
    if (own === 0 || inFlight < eachMax) return false
    return own * held.size > inFlightMax || own >= eachMax || inFlight >= inFlightMax - reserved
  }

  /** Whether it stays below half of an equal part: others cause the lag. */
  function isModest(own: number): boolean {
    const holders = held.size + (own === 0 ? 1 : 0)
    return (own + 1) * holders * 2 < inFlight + 1
  }

  return {
    get inFlight() {
      return inFlight
    },
    begin(holder) {
      inFlight++
      begun++
      const own = held.get(holder)
      if (own === undefined) held.set(holder, { inFlight: 1, begun: 1 })
      else {
        own.inFlight++
        own.begun++
      }
    },
    end(holder) {
      inFlight--
      const own = held.get(holder)
      if (own === undefined) return
      own.inFlight--
      // Holders without requests in flight are removed.
      if (own.inFlight === 0) held.delete(holder)
    },
    begunBeside: (holder) => begun - (held.get(holder)?.begun ?? 0),
    observeLag(lagMs) {
      const sampleMs = Math.min(Math.max(0, lagMs), lagMsMax * SAMPLE_LIMITS_MAX)
      smoothedLagMs += (sampleMs - smoothedLagMs) * WEIGHT
    },
    apiErrorFor(holder) {
      const own = held.get(holder)?.inFlight ?? 0
      if (inFlight >= inFlightMax || (isLate() && !isModest(own)) || isBehind(holder, own)) return OVERLOADED
      return isBeyondShare(own) ? BEYOND_SHARE : undefined
    },
    isOver: () => inFlight >= inFlightMax || isLate(),
  }
}

/** Counts a request as in flight; `requestCounter` ends it with its response. */
export function countInFlight(request: EdgeRequest, reply: EdgeReply, load: LoadGauge): void {
  // A client that has hung up was subtracted already.
  if (reply.raw.destroyed) return
  request.isInFlight = true
  load.begin(holderOf(request))
}
