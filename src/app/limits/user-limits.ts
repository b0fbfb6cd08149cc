import {
  decideUserSync,
  isSameEntry,
  type UserLimitEntry,
  type UserSync,
} from '../../domain/limits/user-limit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DayBuckets } from '../../ports/day-buckets.ts'
import type { Log } from '../../ports/log.ts'
import type { UserStore } from '../../ports/tenants.ts'
import { remember } from '../remember.ts'
import type { BringInLine } from './bring-in-line.ts'
import type { DailyLimit } from './daily-limit.ts'
import { goodLimits } from './good-limits.ts'

/** Together at most 5 s: a changed row holds everywhere by then, also where no news arrives. */
const FRESH_MS = 2_000
export const TRUST_MS = 4_500
/** While the store is away nobody can change a limit in it. */
const GRACE_MS = 60_000
const MAX_USERS = 10_000

export interface UserLimits {
  /** At once for a user it knows. */
  find(userId: string): DailyLimit | Promise<DailyLimit>
  /**
   * As the row said after that moment, which is `TRUST_MS` ago or more, with the cache in line. Rejects when nobody
   * could tell.
   */
  findSince(userId: string, sinceMs: number): Promise<DailyLimit>
  /** On news of a change. */
  forget(userId: string): void
}

interface Reading {
  limit: DailyLimit
  readAtMs: number
  isCacheInLine: boolean
}

/**
 * Remembers each user's row, and when the cache says something else than the row brings it in line as the sync does.
 * A row that the sync would refuse changes nothing: the last good entry stays in force.
 */
export function userLimits({
  users,
  buckets,
  bringInLine,
  clock,
  log,
}: {
  users: Pick<UserStore, 'find'>
  buckets: Pick<DayBuckets, 'readLimit' | 'writeLimit'>
  bringInLine: BringInLine
  clock: Clock
  log: Log
}): UserLimits {
  const known = remember<Reading>({
    clock,
    freshMs: FRESH_MS,
    trustMs: TRUST_MS,
    graceMs: GRACE_MS,
    maxEntries: MAX_USERS,
  })
  const good = goodLimits({ maxUsers: MAX_USERS, log })

  return {
    find(userId) {
      const found = known.recall(userId, () => read(userId))
      return found instanceof Promise ? found.then(({ limit }) => limit) : found.limit
    },
    async findSince(userId, sinceMs) {
      const { limit, readAtMs, isCacheInLine } = await known.recall(userId, () => read(userId))
      if (readAtMs <= sinceMs || !isCacheInLine) throw new Error('the limit of a user is not known for sure')
      return limit
    },
    forget: known.forget,
  }

  async function read(userId: string): Promise<Reading> {
    const readAtMs = clock.monotonicMs()
    const cached = await readCached(userId)
    const user = await users.find(userId)
    const sync = decideUserSync(user)
    if (sync.kind === 'refuse') {
      const row = user?.maxDailyUserLimit ?? ''
      const limit = good.inPlaceOf(userId, { row, cached: cached === AWAY ? undefined : cached })
      return { limit, readAtMs, isCacheInLine: await restore(userId, { limit, cached }) }
    }
    const limit = sync.kind === 'enforce' ? { entry: sync.entry, limitMicros: sync.limitMicros } : undefined
    good.keep(userId, limit)
    return { limit, readAtMs, isCacheInLine: await align(userId, { sync, cached }) }
  }

  async function readCached(userId: string): Promise<Cached> {
    try {
      return await buckets.readLimit(userId)
    } catch {
      return AWAY
    }
  }

  /** After a flush the entry is written again. Its buckets come by themselves. */
  async function restore(
    userId: string,
    { limit, cached }: { limit: DailyLimit; cached: Cached },
  ): Promise<boolean> {
    if (cached === AWAY) return false
    if (limit === undefined || isSameEntry(limit.entry, cached)) return true
    return tried(userId, () => buckets.writeLimit(userId, { seen: cached, entry: limit.entry }))
  }

  async function align(
    userId: string,
    { sync, cached }: { sync: UserSync; cached: Cached },
  ): Promise<boolean> {
    if (cached === AWAY) return false
    return isInLine(sync, cached) || tried(userId, () => bringInLine(userId, 'kept').then(() => true))
  }

  async function tried(userId: string, act: () => Promise<boolean>): Promise<boolean> {
    try {
      return await act()
    } catch (error) {
      log.warn('the cached limit of a user could not be brought in line', { userId, error })
      return false
    }
  }
}

const AWAY = Symbol('the cache is away')
type Cached = UserLimitEntry | undefined | typeof AWAY

/** Most users never had a limit: they need no entry either. */
function isInLine(sync: UserSync, cached: UserLimitEntry | undefined): boolean {
  if (cached === undefined) return sync.kind !== 'enforce'
  return (sync.kind === 'entry-only' || sync.kind === 'enforce') && isSameEntry(sync.entry, cached)
}
