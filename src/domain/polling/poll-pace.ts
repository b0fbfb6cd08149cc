/**
 * When a vendor is asked again about a task or an asset that has not ended. Clients wait for young ones; old ones are
 * polled less and less often. There is always a poll at the deadline.
 */
export function nextPollAtMs({
  createdAtMs,
  expiresAtMs,
  claimedAtMs,
  nowMs,
  sweepIntervalMs,
  waitMsMin = 0,
}: {
  createdAtMs: number
  expiresAtMs: number
  /** When the poll that is over now was due: a slow answer does not make the pace slower. */
  claimedAtMs: number
  nowMs: number
  sweepIntervalMs: number
  /** What the vendor asked for, or what its answer calls for. */
  waitMsMin?: number
}): number {
  const paceMs = Math.max(sweepIntervalMs, paceAtAge(nowMs - createdAtMs))
  const atMs = Math.max(
    claimedAtMs + paceMs,
    // A vendor that takes longer than the pace still gets a rest.
    nowMs + Math.ceil(paceMs / 2),
    nowMs + Math.min(waitMsMin, POLL_PAUSE_MS_MAX),
  )
  return expiresAtMs > nowMs ? Math.min(atMs, expiresAtMs) : atMs
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** A vendor may ask for more; one that is never looked at again would be worse. */
export const POLL_PAUSE_MS_MAX = 10 * MINUTE_MS

const PACES: readonly (readonly [untilAgeMs: number, paceMs: number])[] = [
  [MINUTE_MS, 0],
  [10 * MINUTE_MS, 10 * SECOND_MS],
  [HOUR_MS, 30 * SECOND_MS],
  [6 * HOUR_MS, MINUTE_MS],
]
const SLOWEST_MS = 2 * MINUTE_MS

function paceAtAge(ageMs: number): number {
  return PACES.find(([untilAgeMs]) => ageMs < untilAgeMs)?.[1] ?? SLOWEST_MS
}
