import { Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

/** So few at once leave the store's connections to known keys. */
const AT_ONCE_MAX = 4
const WAITING_MAX = 256
/** Enough for the keys of a deployment that was just restarted, too few to keep a store busy. */
const PER_SECOND = 200
const BURST = 1_000
const LOG_EVERY_MS = 60_000

/** Runs a look-up when there is room for it; rejects with `overloaded` when there is none. */
export type BoundLookUp = <T>(lookUp: () => Promise<T>) => Promise<T>

/**
 * A well-formed key without a mark may have been made before keys had marks, or by a stranger: only the store can tell.
 * Such look-ups are bounded, so that made-up keys delay no known ones. What finds no room gets a 503 and not a 401,
 * because the key may be good.
 */
export function boundUnknownKeys({ clock, log }: { clock: Clock; log: Log }): BoundLookUp {
  const queue: (() => void)[] = []
  let running = 0
  let tokens = BURST
  let filledAtMs = clock.monotonicMs()
  let loggedAtMs = Number.NEGATIVE_INFINITY

  function takeToken(): boolean {
    const nowMs = clock.monotonicMs()
    tokens = Math.min(BURST, tokens + ((nowMs - filledAtMs) * PER_SECOND) / 1_000)
    filledAtMs = nowMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }

  function refuse(): never {
    const nowMs = clock.monotonicMs()
    if (nowMs - loggedAtMs >= LOG_EVERY_MS) {
      loggedAtMs = nowMs
      log.warn('too many unknown keys: some were refused without a look-up')
    }
    throw new Refusal('overloaded')
  }

  return async (lookUp) => {
    if ((running >= AT_ONCE_MAX && queue.length >= WAITING_MAX) || !takeToken()) refuse()
    // A look-up that ends hands its place to the next in the queue.
    if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => queue.push(resolve))
    else running += 1
    try {
      return await lookUp()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
