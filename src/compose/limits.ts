import { createMemoryDayBuckets } from '../adapters/memory/day-buckets.ts'
import { createMemoryRateMeter } from '../adapters/memory/rate-meter.ts'
import { type DayLimits, dayLimits } from '../app/limits/day/day-limits.ts'
import { type CheckRate, checkRate } from '../app/limits/rate/check-rate.ts'
import { syncUser } from '../app/limits/sync/sync-user.ts'
import { syncLimitCache } from '../app/limits/sync-limit-cache.ts'
import { type UserLimits, userLimits } from '../app/limits/user-limits.ts'
import type { Calendar } from '../domain/limits/calendar-day.ts'
import type { Cache } from '../ports/cache.ts'
import type { Store } from '../ports/store.ts'
import type { Config } from './config.ts'
import type { LimitEngines } from './engines.ts'
import type { Tools } from './tools.ts'

export interface Limits {
  calendar: Calendar
  checkRate: CheckRate
  days: DayLimits
  ofUsers: UserLimits
  syncUser(id: string): Promise<void>
}

/** Composes rate and day limits on the shared engines, with local engines of this process as a fallback. */
export function composeLimits(input: {
  config: Config
  tools: Tools
  store: Store
  cache: Cache
  engines: LimitEngines
}): Limits {
  const { config, tools, store, cache, engines } = input
  const { clock, calendar } = tools
  const { requestsPerMinute } = config.limits
  const parts = { ...tools, users: store.users, ledger: store.ledger, buckets: engines.dayBuckets, calendar }
  const syncUserLimit = syncLimitCache(parts)
  const ofUsers = userLimits({ ...parts, syncLimitCache: syncUserLimit })
  return {
    calendar,
    ofUsers,
    checkRate: checkRate({
      ...tools,
      meter: engines.rateMeter,
      localMeter: createMemoryRateMeter({ clock }),
      requestsPerMinute,
    }),
    days: dayLimits({ ...parts, limits: ofUsers, openLocalBuckets: () => createMemoryDayBuckets({ clock }) }),
    syncUser: syncUser({ syncLimitCache: syncUserLimit, cache }),
  }
}
