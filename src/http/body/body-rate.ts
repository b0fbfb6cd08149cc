import type { Clock } from '../../ports/clock.ts'

/** Tells when a body comes too slowly, also when nothing of it comes at all. */
export interface BodyWatch {
  /** `onSlow` is called once at most. Returns what ends the watch. */
  begin(readBytes: () => number, onSlow: () => void): () => void
}

/** A body may begin slowly; then it has to come at the least rate. */
const RATE_GRACE_MS = 10_000
const RATE_CHECK_MS = 1_000

interface WatchedBody {
  beganMs: number
  readBytes(): number
  onSlow(): void
}

/** One timer for all bodies: nearly every body is there before a timer of its own would be. */
export function createBodyWatch({
  clock,
  bodyRateMin,
}: {
  clock: Clock
  /** Bytes a second at which a body has to come, after its first seconds. */
  bodyRateMin: number
}): BodyWatch {
  const watched = new Set<WatchedBody>()
  let isTicking = false

  function look(): void {
    const nowMs = clock.monotonicMs()
    for (const body of watched) {
      const lateMs = nowMs - body.beganMs - RATE_GRACE_MS
      if (body.readBytes() >= (lateMs / 1_000) * bodyRateMin) continue
      watched.delete(body)
      body.onSlow()
    }
    isTicking = false
    if (watched.size > 0) tick()
  }

  function tick(): void {
    if (isTicking) return
    isTicking = true
    setTimeout(look, RATE_CHECK_MS).unref()
  }

  return {
    begin(readBytes, onSlow) {
      const body = { beganMs: clock.monotonicMs(), readBytes, onSlow }
      watched.add(body)
      tick()
      return () => void watched.delete(body)
    },
  }
}
