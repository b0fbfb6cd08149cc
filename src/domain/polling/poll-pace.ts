/** Clients wait for young tasks, so the pauses grow with the age. There is always a poll at the deadline. */
export function nextPollAtMs(input: {
  createdAtMs: number
  expiresAtMs: number
  /** Time of the claim for the poll that has just ended, so that a slow answer does not slow down the pace. */
  claimedAtMs: number
  nowMs: number
  sweepIntervalMs: number
  /** Wait that the vendor asked for, or that its answer requires. */
  waitMsMin?: number
}): number {
  const { createdAtMs, expiresAtMs, claimedAtMs, nowMs, sweepIntervalMs, waitMsMin = 0 } = input
  const paceMs = Math.max(
    sweepIntervalMs,
    PACES.find(([untilAgeMs]) => nowMs - createdAtMs < untilAgeMs)?.[1] ?? SLOWEST_MS,
  )
  const atMs = Math.max(
    claimedAtMs + paceMs,
    // A slow vendor gets a pause too.
    nowMs + Math.ceil(paceMs / 2),
    nowMs + Math.min(waitMsMin, POLL_PAUSE_MS_MAX),
  )
  return expiresAtMs > nowMs ? Math.min(atMs, expiresAtMs) : atMs
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Longest pause that a vendor can ask for. */
export const POLL_PAUSE_MS_MAX = 10 * MINUTE_MS

const PACES: readonly (readonly [untilAgeMs: number, paceMs: number])[] = [
  [MINUTE_MS, 0],
  [10 * MINUTE_MS, 10 * SECOND_MS],
  [HOUR_MS, 30 * SECOND_MS],
  [6 * HOUR_MS, MINUTE_MS],
]
const SLOWEST_MS = 2 * MINUTE_MS
