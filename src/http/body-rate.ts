import type { Clock } from '../ports/clock.ts'

export interface BodyRate {
  clock: Clock
  /** Bytes a second at which a body has to come, after its first seconds. */
  bodyRateMin: number
}

/** A body may begin slowly; then it has to come at the least rate. */
const RATE_GRACE_MS = 10_000
const RATE_CHECK_MS = 1_000

/** Tells once when a body comes too slowly, also when nothing of it comes at all. Returns what ends the watch. */
export function watchBodyRate(
  { clock, bodyRateMin }: BodyRate,
  readBytes: () => number,
  onSlow: () => void,
): () => void {
  const beganMs = clock.monotonicMs()
  const timer = setInterval(() => {
    const lateMs = clock.monotonicMs() - beganMs - RATE_GRACE_MS
    if (readBytes() >= (lateMs / 1_000) * bodyRateMin) return
    clearInterval(timer)
    onSlow()
  }, RATE_CHECK_MS)
  return () => clearInterval(timer)
}
