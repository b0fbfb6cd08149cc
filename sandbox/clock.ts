/**
 * Dates in the sandbox are real, but an hour of a vendor takes `1 / speed` hours here. The state of a task is computed
 * from real time and the start in its id, so it survives a restart.
 */
export interface SandboxClock {
  speed: number
  /** Real time, Unix milliseconds. */
  nowMs(): number
  /** Time since `sinceMs`, in the vendor's slow time. */
  elapsedMs(sinceMs: number): number
  /** Real wait for something that takes a vendor `vendorMs`. */
  realMs(vendorMs: number): number
}

export function createSandboxClock({ nowMs, speed }: { nowMs: () => number; speed: number }): SandboxClock {
  if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError('The sandbox speed must be above 0.')
  return {
    speed,
    nowMs,
    elapsedMs: (sinceMs) => Math.max(0, (nowMs() - sinceMs) * speed),
    realMs: (vendorMs) => vendorMs / speed,
  }
}
