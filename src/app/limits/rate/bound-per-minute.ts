import { ApiError } from '../../../domain/api-error.ts'
import type { Clock } from '../../../ports/clock.ts'

const MINUTE_MS = 60_000
/** Beyond this number the oldest names are forgotten, which bounds the memory. */
const NAMES_MAX = 10_000

interface Minute {
  beganMs: number
  attempts: number
}

/** Limits the attempts per minute for each name, such as an address, in this process. */
export function boundPerMinute({ clock, max }: { clock: Clock; max: number }): {
  /** Returns `rate_limit_exceeded` for an attempt beyond the bound. */
  count(name: string): ApiError | undefined
} {
  const minutes = new Map<string, Minute>()
  return {
    count(name) {
      const nowMs = clock.monotonicMs()
      const minute = minuteOf(name, nowMs)
      if (minute.attempts >= max) {
        const retryAfterSeconds = Math.max(1, (minute.beganMs + MINUTE_MS - nowMs) / 1_000)
        return new ApiError('rate_limit_exceeded', { retryAfterSeconds })
      }
      minute.attempts += 1
      return undefined
    },
  }

  function minuteOf(name: string, nowMs: number): Minute {
    const known = minutes.get(name)
    if (known !== undefined && nowMs - known.beganMs < MINUTE_MS) return known
    const minute = { beganMs: nowMs, attempts: 0 }
    minutes.delete(name)
    minutes.set(name, minute)
    const [oldest] = minutes.keys()
    if (minutes.size > NAMES_MAX && oldest !== undefined) minutes.delete(oldest)
    return minute
  }
}
