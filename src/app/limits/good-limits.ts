import { parseUsdMicros } from '../../domain/billing/usd.ts'
import type { UserLimitEntry } from '../../domain/limits/user-limit.ts'
import type { Log } from '../../ports/log.ts'
import type { DailyLimit } from './daily-limit.ts'

/**
 * The last limit of each user that the sync would take. It stays in force while the row is one that the sync would
 * refuse. Where none is known there is none: to refuse a customer everything for an operator's slip would be worse.
 */
export interface GoodLimits {
  keep(userId: string, limit: DailyLimit): void
  /** What the cache still says, whoever wrote it, else what was kept; with a warning, once for each refused row. */
  inPlaceOf(userId: string, of: { row: string; cached: UserLimitEntry | undefined }): DailyLimit
}

export function goodLimits({ maxUsers, log }: { maxUsers: number; log: Log }): GoodLimits {
  const limits = new Map<string, DailyLimit>()
  const warned = new Map<string, string>()

  return {
    keep(userId, limit) {
      warned.delete(userId)
      set(userId, limit)
    },
    inPlaceOf(userId, { row, cached }) {
      const isOff = cached?.enableLimit === false
      const limit = isOff ? undefined : (limitOf(cached) ?? limits.get(userId))
      set(userId, limit)
      warnOnce(userId, row, isOff || limit !== undefined ? ONE_STAYS : NONE_KNOWN)
      return limit
    },
  }

  function set(userId: string, limit: DailyLimit): void {
    limits.delete(userId)
    if (limit === undefined) return
    limits.set(userId, limit)
    dropOldest(limits)
  }

  function warnOnce(userId: string, row: string, event: string): void {
    const warning = `${event} ${row}`
    if (warned.get(userId) === warning) return
    warned.set(userId, warning)
    dropOldest(warned)
    log.warn(event, { userId })
  }

  function dropOldest(keyed: Map<string, unknown>): void {
    const [oldest = ''] = keyed.size > maxUsers ? keyed.keys() : []
    keyed.delete(oldest)
  }
}

const ONE_STAYS = 'an enabled limit is not above zero; the last good one stays in force'
const NONE_KNOWN = 'an enabled limit is not above zero and no good one is known; the user has no limit'

function limitOf(entry: UserLimitEntry | undefined): DailyLimit {
  const limitMicros = parseUsdMicros(entry?.maxDailyUserLimit ?? '')
  return entry === undefined || limitMicros === undefined || limitMicros <= 0
    ? undefined
    : { entry, limitMicros }
}
