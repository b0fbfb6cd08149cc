/** A clock that begins in the past. It runs faster than real time, and `moveTo` sets it ahead. */
export interface PastClock {
  nowMs(): number
  monotonicMs(): number
  /** Never moves back. */
  moveTo(ms: number): void
}

/** Replies of the sandbox take some milliseconds; at this pace their latency looks like a vendor's, and leases hold. */
const PACE = 12

export function createPastClock(startMs: number): PastClock {
  let sinceMs = startMs
  let movedMs = performance.now()
  const monotonicMs = () => sinceMs + (performance.now() - movedMs) * PACE
  return {
    monotonicMs,
    nowMs: () => Math.floor(monotonicMs()),
    moveTo(ms) {
      sinceMs = Math.max(ms, monotonicMs())
      movedMs = performance.now()
    },
  }
}
