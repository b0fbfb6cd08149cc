import type { LogFields } from '../../ports/log.ts'
import type { Runtime } from '../runtime.ts'

/** Interval of the check, which reads the whole index of waiting rows. */
const LOOK_EVERY_MS = 30_000
/** Maximum difference between the clocks of two replicas. */
const TOLERANCE_MS = 60_000

/**
 * When the wall clock goes back, a row that was postponed by a few seconds may seem due in an hour. No pause is longer
 * than `pauseMsMax`, so a row with a longer pause becomes due now. The check repeats, because the clock may have jumped
 * before this process started.
 */
export function bringForward(
  input: Pick<Runtime, 'clock' | 'log'> & {
    move(far: { nowMs: number; farthestMs: number }): Promise<number>
    pauseMsMax: number
  } & Pick<LogFields, 'provider' | 'operation'>,
): () => Promise<void> {
  const { move, pauseMsMax, clock, log, ...about } = input
  let lookAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.monotonicMs() < lookAtMs) return
    lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS
    const nowMs = clock.nowMs()
    const count = await move({ nowMs, farthestMs: nowMs + pauseMsMax + TOLERANCE_MS })
    if (count > 0) log.warn('clock.work_brought_forward', { ...about, count })
  }
}
