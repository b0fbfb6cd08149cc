import { ApiError } from '../../domain/api-error.ts'
import { sharesOf } from '../../domain/slot-shares.ts'
import { holderOf } from '../body/json-body.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'

export interface LoadLimits {
  /** Requests of known callers in flight at once. */
  inFlightMax: number
  /** How late the event loop may be, smoothed over a few samples; and how long an organization's costly bodies may wait. */
  lagMsMax: number
}

/** How long one more costly body of an organization would wait for its turn. */
type WaitMsOf = (holder: string) => number

/** Knows how busy this process is, and with whom. It has no clock and no timer: others tell it what happens. */
export interface LoadGauge {
  readonly inFlight: number
  begin(holder: string): void
  end(holder: string): void
  observeLag(lagMs: number): void
  /** How many requests of others have begun, counted from some moment on; for a holder with requests in flight. */
  begunBeside(holder: string): number
  /** Why there is no room for one more request of this organization. */
  apiErrorFor(holder: string): ApiError | undefined
  /** The same for a request that belongs to no organization. */
  isOver(): boolean
}

/** Half of each new sample counts, and none counts for much more than the limit: one slow turn, however slow, is forgiven. */
const WEIGHT = 0.5
const SAMPLE_LIMITS_MAX = 1.5

/** Made once: a busy process refuses thousands of requests a second. */
const OVERLOADED = new ApiError('overloaded')
const BEYOND_SHARE = new ApiError('rate_limit_exceeded', { message: 'Too many requests at once.' })

/** A late loop with fewer requests than this is late because of the machine: refusing one more would help no other. */
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

  /** Its requests would wait longer than a client should before they are even looked at. */
  function isBehind(holder: string, own: number): boolean {
    return own >= CALM_IN_FLIGHT && waitMsOf(holder) > lagMsMax
  }

  /** Once so much is taken as one organization may have, each keeps to its equal part, and the last slots are reserved. */
  function isBeyondShare(own: number): boolean {
    if (own === 0 || inFlight < eachMax) return false
    return own * held.size > inFlightMax || own >= eachMax || inFlight >= inFlightMax - reserved
  }

  /** With this request it would have less than half of an equal part: it is others who make the loop late. */
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
      // Only of those that have something in flight anything is remembered.
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

/** Counts a request among those in flight; `requestCounter` counts it out when its answer has ended. */
export function countInFlight(request: EdgeRequest, reply: EdgeReply, load: LoadGauge): void {
  // A client that hung up meanwhile was subtracted already.
  if (reply.raw.destroyed) return
  request.isInFlight = true
  load.begin(holderOf(request))
}
