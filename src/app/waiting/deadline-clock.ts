import type { Clock } from '../../ports/clock.ts'
import type { Runtime } from '../runtime.ts'

/** A difference of at least this between two looks is a jump; a clock that is corrected in small steps changes less. */
const JUMP_MS_MIN = 5_000
/** A jump ahead makes nothing expire for this time: leases are renewed, and an operator can correct the clock. */
const DISTRUST_MS = 60_000

/** Wall time for deciding that a task, an asset, a hold, a verification or an `Idempotency-Key` has expired. */
export interface DeadlineClock extends Clock {
  /** Compares the wall clock with the monotonic one, and logs a jump. Every reading does this too. */
  look(): void
}

/**
 * For a minute after the wall clock jumped ahead, this clock continues from the time before the jump. A clock that went
 * back is followed immediately: everything then expires later, never earlier.
 */
export function createDeadlineClock({ clock, log }: Pick<Runtime, 'clock' | 'log'>): DeadlineClock {
  let offsetMs = clock.nowMs() - clock.monotonicMs()
  let heldBackMs = 0
  /** Time on the monotonic clock. */
  let trustedFromMs = Number.NEGATIVE_INFINITY

  return {
    look,
    monotonicMs: clock.monotonicMs,
    nowMs() {
      look()
      return clock.nowMs() - heldBackMs
    },
  }

  function look(): void {
    const monotonicMs = clock.monotonicMs()
    const jumpMs = clock.nowMs() - monotonicMs - offsetMs
    offsetMs += jumpMs
    if (monotonicMs >= trustedFromMs) heldBackMs = 0
    if (Math.abs(jumpMs) < JUMP_MS_MIN) return
    // The value is rounded: the monotonic clock has fractions, and moments are stored as whole milliseconds.
    heldBackMs = Math.max(0, heldBackMs + Math.round(jumpMs))
    trustedFromMs = monotonicMs + DISTRUST_MS
    const reason = jumpMs > 0 ? 'ahead' : 'back'
    log.warn('clock.jumped', { reason, durationMs: Math.round(Math.abs(jumpMs)) })
  }
}
