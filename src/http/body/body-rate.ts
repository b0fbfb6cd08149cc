import type { Clock } from '../../ports/clock.ts'
import { TurnBudget } from '../door/turn-budget.ts'

/** Detects bodies that arrive too slowly or not at all. */
export interface BodyWatch {
  /** `onSlow` is called at most once. Returns a function that ends the watch. */
  begin(readBytes: () => number, onSlow: () => void): () => void
}

/** Time after which a body must arrive at the minimum rate. */
const RATE_GRACE_MS = 10_000
const RATE_CHECK_MS = 1_000

interface WatchedBody {
  beganMs: number
  readBytes(): number
  onSlow(): void
}

/** One timer serves all bodies, since nearly every body arrives before its own would run. It ends a few in a turn. */
export function createBodyWatch(tools: {
  clock: Clock
  /** Minimum rate of a body in bytes per second, after its first seconds. */
  bodyRateMin: number
}): BodyWatch {
  const { clock, bodyRateMin } = tools
  const watched = new Set<WatchedBody>()
  const budget = new TurnBudget()
  let isTicking = false

  function look(): void {
    const nowMs = clock.monotonicMs()
    for (const body of watched) {
      const lateMs = nowMs - body.beganMs - RATE_GRACE_MS
      if (body.readBytes() >= (lateMs / 1_000) * bodyRateMin) continue
      budget.begin(() => {
        if (watched.delete(body)) body.onSlow()
      })
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
