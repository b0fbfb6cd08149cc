import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'

const WRONG_PER_MINUTE_MAX = 10
const MINUTE_MS = 60_000
/** Beyond it the oldest are forgotten: addresses must not fill the memory. */
const ADDRESSES_MAX = 10_000

interface Minute {
  beganMs: number
  wrong: number
}

/**
 * Ten wrong keys a minute for each address, in this process; after that even a right one waits.
 * A sign-in counts as wrong until it has proved right, so that many at the same time are counted too.
 */
export function boundWrongKeys({ clock }: { clock: Clock }): {
  /** Throws `rate_limit_exceeded`, or returns what takes this attempt back. */
  count(address: string): () => void
} {
  const minutes = new Map<string, Minute>()
  return {
    count(address) {
      const nowMs = clock.monotonicMs()
      const minute = minuteOf(address, nowMs)
      if (minute.wrong >= WRONG_PER_MINUTE_MAX) {
        const retryAfterSeconds = Math.max(1, (minute.beganMs + MINUTE_MS - nowMs) / 1_000)
        throw new ApiError('rate_limit_exceeded', { retryAfterSeconds })
      }
      minute.wrong += 1
      return () => {
        minute.wrong -= 1
      }
    },
  }

  function minuteOf(address: string, nowMs: number): Minute {
    const known = minutes.get(address)
    if (known !== undefined && nowMs - known.beganMs < MINUTE_MS) return known
    const minute = { beganMs: nowMs, wrong: 0 }
    minutes.delete(address)
    minutes.set(address, minute)
    const [oldest] = minutes.keys()
    if (minutes.size > ADDRESSES_MAX && oldest !== undefined) minutes.delete(oldest)
    return minute
  }
}
