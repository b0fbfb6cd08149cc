export interface LoadLimits {
  /** Requests of recognised callers under way at once. */
  inFlightMax: number
  /** How late the event loop may be, smoothed over a few samples. */
  lagMsMax: number
}

/** Knows how busy this process is. It has no clock and no timer: others tell it what happens. */
export interface LoadGauge {
  begin(): void
  end(): void
  observeLag(lagMs: number): void
  /** True when there is no room for one more. */
  isOver(): boolean
}

/** Half of each new sample counts, and none counts for much more than the limit: one slow turn, however slow, is forgiven. */
const WEIGHT = 0.5
const SAMPLE_LIMITS_MAX = 1.5

/** A late loop with fewer requests than this is late because of the machine: refusing one more would help no other. */
export const CALM_IN_FLIGHT = 32

export function createLoadGauge({ inFlightMax, lagMsMax }: LoadLimits): LoadGauge {
  let inFlight = 0
  let smoothedLagMs = 0
  return {
    begin() {
      inFlight++
    },
    end() {
      inFlight--
    },
    observeLag(lagMs) {
      const sampleMs = Math.min(Math.max(0, lagMs), lagMsMax * SAMPLE_LIMITS_MAX)
      smoothedLagMs += (sampleMs - smoothedLagMs) * WEIGHT
    },
    isOver() {
      return inFlight >= inFlightMax || (inFlight >= CALM_IN_FLIGHT && smoothedLagMs > lagMsMax)
    },
  }
}
