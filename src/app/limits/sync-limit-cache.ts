import { bucketExpiresAtMs, daysStillKept } from '../../domain/limits/bucket-expiry.ts'
import type { Calendar } from '../../domain/limits/calendar-day.ts'
import { decideUserSync, type UserLimitEntry, type UserSync } from '../../domain/limits/user-limit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DayBuckets } from '../../ports/day-buckets.ts'
import type { LedgerStore } from '../../ports/ledger.ts'
import type { UserStore } from '../../ports/tenants.ts'

/**
 * Copies the user's row into the cache, and returns the decision. A refused row changes nothing. `all` changes every
 * bucket of the user and scans the whole cache, so only the admin operation uses `all`. `kept` changes only the days that
 * can still have a bucket: servers use it, because they may notice changes of thousands of users together.
 */
export type SyncLimitCache = (userId: string, reach: BucketReach) => Promise<UserSync>

export type BucketReach = 'all' | 'kept'

/** The pauses of all attempts together take less than half of the time of an admin request. */
const ATTEMPTS_MAX = 400
const PAUSE_MS_MAX = 20

/**
 * Applies the decision of `decideUserSync`. The cache is read before the store, and an entry is written only if it did
 * not change meanwhile. A sync that read an older row therefore cannot overwrite the entry of a newer row.
 */
export function syncLimitCache(tools: {
  buckets: DayBuckets
  users: Pick<UserStore, 'find'>
  ledger: Pick<LedgerStore, 'readDay'>
  calendar: Calendar
  clock: Clock
}): SyncLimitCache {
  const { buckets, users, ledger, calendar, clock } = tools
  return async (userId, reach) => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const seen = await buckets.readLimit(userId)
      const sync = decideUserSync(await users.find(userId))
      if (await apply(userId, sync, { seen, reach })) return sync
      await pauseAfter(attempt)
    }
    throw new Error('the limit of a user changed faster than it could be written')
  }

  /** The fraction of the millisecond is random enough to separate replicas that run in step. */
  function pauseAfter(attempt: number): Promise<void> {
    const pauseMs = Math.min(attempt, PAUSE_MS_MAX) * (0.5 + (clock.monotonicMs() % 1))
    return new Promise((resolve) => setTimeout(resolve, pauseMs))
  }

  async function apply(
    userId: string,
    sync: UserSync,
    { seen, reach }: { seen: UserLimitEntry | undefined; reach: BucketReach },
  ): Promise<boolean> {
    switch (sync.kind) {
      case 'forget':
        await buckets.forgetUser(userId)
        return true
      case 'refuse':
        return true
      case 'entry-only':
        return buckets.writeLimit(userId, { seen, entry: sync.entry })
      case 'enforce':
        return enforce(userId, sync, { seen, reach })
    }
  }

  /** Counts the buckets again if the limit was off before, because spending is not counted while it is off. */
  async function enforce(
    userId: string,
    { entry, limitMicros }: UserSync & { kind: 'enforce' },
    { seen, reach }: { seen: UserLimitEntry | undefined; reach: BucketReach },
  ): Promise<boolean> {
    const nowMs = clock.nowMs()
    const expiresAtMs = (day: string) => bucketExpiresAtMs({ calendar, day, nowMs })
    const today = calendar.dayAt(nowMs)
    const days = [today, calendar.dayAfter(today)]
    const lives = await buckets.look(userId, days)
    const stored = await Promise.all(
      days.map(async (day, index) => ({
        day,
        life: lives[index] ?? '',
        expiresAtMs: expiresAtMs(day),
        limitMicros,
        stored: await ledger.readDay({ userId, day }),
      })),
    )
    return buckets.enforceLimit(userId, {
      seen,
      entry,
      limitMicros,
      buckets: stored,
      otherDays: reach === 'all' ? 'all' : daysStillKept(today),
      recount: seen?.enableLimit !== true,
      expiresAtMs,
    })
  }
}
