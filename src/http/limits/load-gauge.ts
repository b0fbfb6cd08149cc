import { ApiError } from '../../domain/api-error.ts'
import { sharesOf } from '../../domain/slot-shares.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import { holderOf } from '../body/json-body.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'

export interface LoadLimits {
  /** Limit of requests in flight whose caller is known. */
  inFlightMax: number
  /** Limit for the smoothed lag of the event loop, and for the wait of an organization's costly bodies. */
  lagMsMax: number
}

/** Counts the requests of this process by organization, and decides which are accepted. */
export interface LoadGauge {
  readonly inFlight: number
  begin(holder: string): void
  end(holder: string): void
  /** Returns an error when one more request of this organization is not accepted. */
  apiErrorFor(holder: string): ApiError | undefined
  /** Whether a request without an organization is not accepted. */
  isOver(): boolean
}

/** Created once: a busy process refuses thousands of requests per second. */
const OVERLOADED = new ApiError('overloaded')
const BEYOND_SHARE = new ApiError('rate_limit_exceeded', { message: 'Too many requests at once.' })

/** With fewer requests in flight the machine causes the lag: refusing a request would not help. */
export const CALM_IN_FLIGHT = 32

/** Without `turns` only limits on the number of requests apply. */
export function createLoadGauge({ inFlightMax, lagMsMax }: LoadLimits, turns?: BodyTurns): LoadGauge {
  const { each: eachMax, reserved } = sharesOf(inFlightMax, 8)
  const held = new Map<string, number>()
  let inFlight = 0

  function isLate(): boolean {
    return inFlight >= CALM_IN_FLIGHT && turns?.book.isLate === true
  }

  /** Whether requests of this organization would wait longer than a client should. */
  function isBehind(holder: string, own: number): boolean {
    return own >= CALM_IN_FLIGHT && turns !== undefined && turns.waitMsOf(holder) > lagMsMax
  }

  /** From `eachMax` requests in all, each organization gets an equal part, and new ones get the last slots. */
  function isBeyondShare(own: number): boolean {
    if (own === 0 || inFlight < eachMax) return false
    return own * held.size > inFlightMax || own >= eachMax || inFlight >= inFlightMax - reserved
  }

  return {
    get inFlight() {
      return inFlight
    },
    begin(holder) {
      inFlight++
      held.set(holder, (held.get(holder) ?? 0) + 1)
    },
    end(holder) {
      inFlight--
      const left = (held.get(holder) ?? 0) - 1
      if (left > 0) held.set(holder, left)
      else held.delete(holder)
    },
    apiErrorFor(holder) {
      const own = held.get(holder) ?? 0
      const isRefused = (isLate() && turns?.book.isAbove(holder)) || isBehind(holder, own)
      if (inFlight >= inFlightMax || isRefused) return OVERLOADED
      return isBeyondShare(own) ? BEYOND_SHARE : undefined
    },
    isOver: () => inFlight >= inFlightMax || isLate(),
  }
}

/** Counts a request as in flight; `requestCounter` ends it with its response. */
export function countInFlight(request: EdgeRequest, reply: EdgeReply, load: LoadGauge): void {
  // The response is closed already, so nothing would end its count.
  if (reply.raw.destroyed) return
  request.isInFlight = true
  load.begin(holderOf(request))
}
