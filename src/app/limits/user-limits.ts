import type { Micros } from '../../domain/billing/micros.ts'
import { parseUsdMicros } from '../../domain/billing/usd.ts'
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

/** Together at most 5 s: a changed row holds everywhere by then, also where no news arrives. */
const FRESH_MS = 2_000
const TRUST_MS = 4_500
/** While the store is away nobody can change a limit in it. */
const GRACE_MS = 60_000
const MAX_USERS = 10_000

/** undefined: the user may spend what the balance allows. */
export type DailyLimit = { entry: UserLimitEntry; limitMicros: Micros } | undefined

export interface UserLimits {
  /** At once for a user it knows. */
  find(userId: string): DailyLimit | Promise<DailyLimit>
  /** A change of a day was not counted because the user had no limit: when one is set, the days are counted anew. */
  noteUncounted(userId: string): void
  /** On news of a change. */
  forget(userId: string): void
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
  buckets: Pick<DayBuckets, 'readLimit'>
  bringInLine: BringInLine
  clock: Clock
  log: Log
}): UserLimits {
  const known = remember<{ userId: string; limit: DailyLimit }>({
    clock,
    freshMs: FRESH_MS,
    trustMs: TRUST_MS,
    graceMs: GRACE_MS,
    maxEntries: MAX_USERS,
  })
  const uncounted = new Set<string>()
  const refused = new Map<string, string>()
  const lastGood = new Map<string, DailyLimit>()

  return {
    find(userId) {
      const found = known.recall(userId, () => read(userId))
      return found instanceof Promise ? found.then(({ limit }) => limit) : found.limit
    },
    noteUncounted(userId) {
      uncounted.add(userId)
      dropOldest(uncounted)
    },
    forget: (userId) => known.forgetWhere((value) => value.userId === userId),
  }

  async function read(userId: string): Promise<{ userId: string; limit: DailyLimit }> {
    const cached = await readCached(userId)
    const user = await users.find(userId)
    const sync = decideUserSync(user)
    if (sync.kind === 'refuse') {
      warnOnce(userId, user?.maxDailyUserLimit ?? '')
      return { userId, limit: cached === AWAY ? lastGood.get(userId) : limitOf(cached) }
    }
    refused.delete(userId)
    if (cached !== AWAY && isOutOfLine(userId, sync, cached)) await tryToBringInLine(userId)
    return { userId, limit: keepGood(userId, sync) }
  }

  async function readCached(userId: string): Promise<UserLimitEntry | undefined | typeof AWAY> {
    try {
      return await buckets.readLimit(userId)
    } catch {
      return AWAY
    }
  }

  function isOutOfLine(userId: string, sync: UserSync, cached: UserLimitEntry | undefined): boolean {
    if (sync.kind === 'enforce') return uncounted.has(userId) || !isSameEntry(sync.entry, cached)
    // Most users never had a limit: they get no entry either.
    if (cached === undefined) return false
    return sync.kind === 'forget' || (sync.kind === 'entry-only' && !isSameEntry(sync.entry, cached))
  }

  async function tryToBringInLine(userId: string): Promise<void> {
    const recount = uncounted.delete(userId)
    try {
      await bringInLine(userId, { recount })
    } catch (error) {
      if (recount) uncounted.add(userId)
      log.warn('the cached limit of a user could not be brought in line', { userId, error })
    }
  }

  function keepGood(userId: string, sync: UserSync): DailyLimit {
    lastGood.delete(userId)
    if (sync.kind !== 'enforce') return undefined
    const limit = { entry: sync.entry, limitMicros: sync.limitMicros }
    lastGood.set(userId, limit)
    dropOldest(lastGood)
    return limit
  }

  function warnOnce(userId: string, row: string): void {
    if (refused.get(userId) === row) return
    refused.set(userId, row)
    dropOldest(refused)
    log.warn('an enabled limit is not above zero; the last good one stays in force', { userId })
  }
}

const AWAY = Symbol('the cache is away')

function limitOf(entry: UserLimitEntry | undefined): DailyLimit {
  const limitMicros = entry?.enableLimit ? parseUsdMicros(entry.maxDailyUserLimit) : undefined
  return entry === undefined || limitMicros === undefined ? undefined : { entry, limitMicros }
}

function dropOldest(keyed: Set<string> | Map<string, unknown>): void {
  if (keyed.size <= MAX_USERS) return
  for (const oldest of keyed.keys()) {
    keyed.delete(oldest)
    return
  }
}
