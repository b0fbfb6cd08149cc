import { createMemoryDayBuckets } from '../../../src/adapters/memory/day-buckets.ts'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { createMemoryRateMeter } from '../../../src/adapters/memory/rate-meter.ts'
import { openRedisCache } from '../../../src/adapters/redis/redis-cache.ts'
import { openRedisLimits } from '../../../src/adapters/redis/redis-limits.ts'
import { type DayLimits, dayLimits } from '../../../src/app/limits/day/day-limits.ts'
import { type CheckRate, checkRate } from '../../../src/app/limits/rate/check-rate.ts'
import { subscribeToInvalidations } from '../../../src/app/limits/sync/invalidations.ts'
import { syncUser } from '../../../src/app/limits/sync/sync-user.ts'
import { syncLimitCache } from '../../../src/app/limits/sync-limit-cache.ts'
import { type UserLimits, userLimits } from '../../../src/app/limits/user-limits.ts'
import { createCalendar } from '../../../src/domain/limits/calendar-day.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import type { DayBuckets } from '../../../src/ports/day-buckets.ts'
import type { RateMeter } from '../../../src/ports/rate-meter.ts'
import { createLogBook, type LogBook } from '../cache/log-book.ts'
import type { PlainStore } from './plain-store.ts'

/** The limits of one replica, put together as the gateway does it. */
export interface LimitsReplica {
  checkRate: CheckRate
  days: DayLimits
  limits: UserLimits
  buckets: DayBuckets
  syncUser(userId: string): Promise<void>
  log: LogBook
  /** Limits that were kept locally, in order. */
  keptLocally: string[]
  close(): Promise<void>
}

/** Wall time of a test. Monotonic time goes on with it, and never back. */
export interface TestClock {
  nowMs(): number
  monotonicMs(): number
  set(moment: string): void
  pass(ms: number): void
}

export function createTestClock(moment: string): TestClock {
  let nowMs = Date.parse(moment)
  let passedMs = 0
  return {
    nowMs: () => nowMs,
    monotonicMs: () => passedMs,
    set: (next) => {
      passedMs += Math.max(0, Date.parse(next) - nowMs)
      nowMs = Date.parse(next)
    },
    pass: (ms) => {
      passedMs += ms
      nowMs += ms
    },
  }
}

export async function openReplica({
  redisUrl,
  store,
  clock,
  timeZone = 'UTC',
}: {
  /** undefined: cache and limits are in memory. */
  redisUrl: string | undefined
  store: PlainStore
  clock: TestClock
  timeZone?: string
}): Promise<LimitsReplica> {
  const log = createLogBook()
  const keptLocally: string[] = []
  const metrics = { limitKeptLocally: (limit: string) => void keptLocally.push(limit) }
  const { cache, meter, buckets, close } = await openEngines({ redisUrl, clock, log })
  const calendar = createCalendar(timeZone)
  const parts = { users: store.users, ledger: store.ledger, buckets, calendar, clock, log, metrics }
  const syncCache = syncLimitCache(parts)
  const limits = userLimits({ ...parts, syncLimitCache: syncCache })
  const openLocalBuckets = () => createMemoryDayBuckets({ clock })
  const days = dayLimits({ ...parts, limits, openLocalBuckets })
  const forget = (change: { kind: string; id: string | number }) => {
    if (change.kind === 'user') limits.forget(String(change.id))
  }
  await subscribeToInvalidations({ cache, log, forget })
  const localMeter = createMemoryRateMeter({ clock })
  return {
    checkRate: checkRate({ meter, localMeter, requestsPerMinute: 0, log, metrics }),
    days,
    limits,
    buckets,
    syncUser: syncUser({ syncLimitCache: syncCache, cache }),
    log,
    keptLocally,
    close: async () => {
      days.close()
      await close()
    },
  }
}

async function openEngines({
  redisUrl,
  clock,
  log,
}: {
  redisUrl: string | undefined
  clock: TestClock
  log: LogBook
}): Promise<{ cache: Cache; meter: RateMeter; buckets: DayBuckets; close(): Promise<void> }> {
  if (redisUrl === undefined) {
    const cache = createMemoryCache({ clock, maxBytes: 1_000_000, log })
    const [meter, buckets] = [createMemoryRateMeter({ clock }), createMemoryDayBuckets({ clock })]
    return { cache, meter, buckets, close: () => cache.close() }
  }
  const [cache, shared] = await Promise.all([
    openRedisCache({ url: redisUrl, log }),
    openRedisLimits({ url: redisUrl, log }),
  ])
  return {
    cache,
    meter: shared.rateMeter,
    buckets: shared.dayBuckets,
    close: async () => {
      await Promise.all([cache.close(), shared.close()])
    },
  }
}
