import type { Micros } from '../../domain/billing/micros.ts'
import { parseUsdMicros } from '../../domain/billing/usd.ts'
import {
  decideUserSync,
  isSameEntry,
  type UserLimitEntry,
  type UserSync,
} from '../../domain/limits/user-limit.ts'
import type { DayBuckets } from '../../ports/day-buckets.ts'
import type { Log } from '../../ports/log.ts'
import type { LogEvent } from '../../ports/log-events.ts'
import type { UserStore } from '../../ports/tenants.ts'
import type { Runtime } from '../runtime.ts'
import { createTtlCache } from '../ttl-cache.ts'
import type { SyncLimitCache } from './sync-limit-cache.ts'

/** Maximum age of a known limit that is used while the store is unreachable. */
const GRACE_MS = 60_000
const MAX_USERS = 10_000

export interface UserLimits {
  find(userId: string): DailyLimit | Promise<DailyLimit>
  /**
   * Returns the limit of a row that was read after `sinceMs`, which must be `TRUST_MS` (`ttl-cache.ts`) or more ago.
   * Rejects when the row could not be read, or the cache could not be synced with it.
   */
  findSince(userId: string, sinceMs: number): Promise<DailyLimit>
  forget(userId: string): void
}

interface LimitReading {
  limit: DailyLimit
  readAtMs: number
  isCacheSynced: boolean
}

/** Remembers users' limits and syncs changed ones to the cache. If a row is refused, the last valid limit stays in force. */
export function userLimits(
  tools: Pick<Runtime, 'clock' | 'log'> & {
    users: Pick<UserStore, 'find'>
    buckets: Pick<DayBuckets, 'readLimit' | 'writeLimit'>
    syncLimitCache: SyncLimitCache
  },
): UserLimits {
  const { users, buckets, syncLimitCache, clock, log } = tools
  const known = createTtlCache<LimitReading>({ clock, graceMs: GRACE_MS, maxEntries: MAX_USERS })
  const good = goodLimits({ maxUsers: MAX_USERS, log })

  return {
    find(userId) {
      const found = known.get(userId, () => read(userId))
      return found instanceof Promise ? found.then(({ limit }) => limit) : found.limit
    },
    async findSince(userId, sinceMs) {
      const { limit, readAtMs, isCacheSynced } = await known.get(userId, () => read(userId))
      if (readAtMs <= sinceMs || !isCacheSynced) throw new Error('the limit of a user is not known for sure')
      return limit
    },
    forget: known.forget,
  }

  async function read(userId: string): Promise<LimitReading> {
    const readAtMs = clock.monotonicMs()
    const cached = await readCached(userId)
    const user = await users.find(userId)
    const sync = decideUserSync(user)
    if (sync.kind === 'refuse') {
      const row = user?.maxDailyUserLimit ?? ''
      const limit = good.fallbackFor(userId, { row, cached: cached === UNREACHABLE ? undefined : cached })
      return { limit, readAtMs, isCacheSynced: await restore(userId, { limit, cached }) }
    }
    const limit = sync.kind === 'enforce' ? { entry: sync.entry, limitMicros: sync.limitMicros } : undefined
    good.keep(userId, limit)
    return { limit, readAtMs, isCacheSynced: await align(userId, { sync, cached }) }
  }

  async function readCached(userId: string): Promise<Cached> {
    try {
      return await buckets.readLimit(userId)
    } catch {
      return UNREACHABLE
    }
  }

  /** Writes the entry again after the cache was flushed. The buckets are rebuilt when a request needs them. */
  async function restore(userId: string, input: { limit: DailyLimit; cached: Cached }): Promise<boolean> {
    const { limit, cached } = input
    if (cached === UNREACHABLE) return false
    if (limit === undefined || isSameEntry(limit.entry, cached)) return true
    return tried(userId, () => buckets.writeLimit(userId, { seen: cached, entry: limit.entry }))
  }

  async function align(userId: string, input: { sync: UserSync; cached: Cached }): Promise<boolean> {
    const { sync, cached } = input
    if (cached === UNREACHABLE) return false
    return isSynced(sync, cached) || tried(userId, () => syncLimitCache(userId, 'kept').then(() => true))
  }

  async function tried(userId: string, act: () => Promise<boolean>): Promise<boolean> {
    try {
      return await act()
    } catch (error) {
      log.warn('limits.cache_sync_failed', { userId, error })
      return false
    }
  }
}

const UNREACHABLE = Symbol('the cache is unreachable')
type Cached = UserLimitEntry | undefined | typeof UNREACHABLE

/** A user without a limit needs no entry in the cache. */
function isSynced(sync: UserSync, cached: UserLimitEntry | undefined): boolean {
  if (cached === undefined) return sync.kind !== 'enforce'
  return (sync.kind === 'entry-only' || sync.kind === 'enforce') && isSameEntry(sync.entry, cached)
}

/** undefined: the user has no limit. */
export type DailyLimit = { entry: UserLimitEntry; limitMicros: Micros } | undefined

/**
 * The last valid limit of each user, which stays in force while the sync refuses the row. When no valid limit is known,
 * none applies, because refusing all requests for an operator's mistake would be worse.
 */
function goodLimits({ maxUsers, log }: { maxUsers: number; log: Log }) {
  const limits = new Map<string, DailyLimit>()
  const warned = new Map<string, string>()

  return {
    keep(userId: string, limit: DailyLimit) {
      warned.delete(userId)
      set(userId, limit)
    },
    /** Returns the limit of the shared cache, or the kept one if the cache has none. A limit that is off there stays off. */
    fallbackFor(userId: string, { row, cached }: { row: string; cached: UserLimitEntry | undefined }) {
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

  function warnOnce(userId: string, row: string, event: LogEvent): void {
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

const ONE_STAYS = 'limits.invalid_kept_last'
const NONE_KNOWN = 'limits.invalid_none_known'

function limitOf(entry: UserLimitEntry | undefined): DailyLimit {
  const limitMicros = parseUsdMicros(entry?.maxDailyUserLimit ?? '')
  return entry === undefined || limitMicros === undefined || limitMicros <= 0
    ? undefined
    : { entry, limitMicros }
}
