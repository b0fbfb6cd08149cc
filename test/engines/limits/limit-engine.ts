import { createMemoryDayBuckets } from '../../../src/adapters/memory/day-buckets.ts'
import { createMemoryRateMeter } from '../../../src/adapters/memory/rate-meter.ts'
import { openRedisLimits } from '../../../src/adapters/redis/redis-limits.ts'
import type { DayBuckets } from '../../../src/ports/day-buckets.ts'
import type { RateMeter } from '../../../src/ports/rate-meter.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { createLogBook } from '../cache/log-book.ts'

/** The limits as two replicas see them. */
export interface LimitEngine {
  rateMeter: RateMeter
  replicaRateMeter: RateMeter
  buckets: DayBuckets
  replica: DayBuckets
  nowMs(): number
  /** Moves a clock that stands still; with a real one, waits. */
  passTime(ms: number): Promise<void>
  close(): Promise<void>
}

export const LIMIT_ENGINES: Readonly<Record<string, () => Promise<LimitEngine>>> = {
  memory: async () => {
    let passedMs = 0
    const clock = { nowMs: () => 1_790_000_000_000 + passedMs, monotonicMs: () => 1_000.5 + passedMs }
    const rateMeter = createMemoryRateMeter({ clock })
    const buckets = createMemoryDayBuckets({ clock })
    return {
      rateMeter,
      replicaRateMeter: rateMeter,
      buckets,
      replica: buckets,
      nowMs: clock.nowMs,
      passTime: async (ms) => {
        passedMs += ms
      },
      close: async () => {},
    }
  },
  redis: async () => {
    const redis = await freshRedis()
    const open = () => openRedisLimits({ url: redis.url, log: createLogBook() })
    const [one, other] = await Promise.all([open(), open()])
    return {
      rateMeter: one.rateMeter,
      replicaRateMeter: other.rateMeter,
      buckets: one.dayBuckets,
      replica: other.dayBuckets,
      nowMs: Date.now,
      // The wait is a millisecond longer, because a timer may be early by less than that.
      passTime: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 1)),
      close: async () => {
        await Promise.all([one.close(), other.close()])
        await redis.close()
      },
    }
  },
}
