import { bucketExpiresAtMs } from '../../domain/limits/bucket-expiry.ts'
import type { Calendar } from '../../domain/limits/calendar-day.ts'
import { decideUserSync, type UserLimitEntry, type UserSync } from '../../domain/limits/user-limit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DayBuckets } from '../../ports/day-buckets.ts'
import type { LedgerStore } from '../../ports/ledger.ts'
import type { UserStore } from '../../ports/tenants.ts'

/** Makes the cache say what the user's row says, and returns what that was. A row that is refused changes nothing. */
export type BringInLine = (userId: string, wish: { recount: boolean }) => Promise<UserSync>

const ATTEMPTS_MAX = 20

/**
 * The four rules of the contract. The cache is looked at before the store is read, and is changed only while it is as it
 * was then: of two that do this at once, the one that read the older row does not come last.
 */
export function bringInLine({
  buckets,
  users,
  ledger,
  calendar,
  clock,
}: {
  buckets: DayBuckets
  users: Pick<UserStore, 'find'>
  ledger: Pick<LedgerStore, 'readDay'>
  calendar: Calendar
  clock: Clock
}): BringInLine {
  return async (userId, { recount }) => {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const seen = await buckets.readLimit(userId)
      const sync = decideUserSync(await users.find(userId))
      if (await apply(userId, sync, { seen, recount })) return sync
    }
    throw new Error('the limit of a user changed faster than it could be written')
  }

  async function apply(
    userId: string,
    sync: UserSync,
    { seen, recount }: { seen: UserLimitEntry | undefined; recount: boolean },
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
        return enforce(userId, sync, { seen, recount: recount || seen?.enableLimit !== true })
    }
  }

  /** Days that nobody counted while the limit was off are counted anew. */
  async function enforce(
    userId: string,
    { entry, limitMicros }: UserSync & { kind: 'enforce' },
    { seen, recount }: { seen: UserLimitEntry | undefined; recount: boolean },
  ): Promise<boolean> {
    const nowMs = clock.nowMs()
    const expiresAtMs = (day: string) => bucketExpiresAtMs({ calendar, day, nowMs })
    const today = calendar.dayAt(nowMs)
    const days = [today, calendar.dayAfter(today)]
    const { lives } = await buckets.look(userId, days)
    const stored = await Promise.all(
      days.map(async (day, index) => ({
        day,
        life: lives[index] ?? '',
        expiresAtMs: expiresAtMs(day),
        limitMicros,
        stored: await ledger.readDay({ userId, day }),
      })),
    )
    return buckets.enforceLimit(userId, { seen, entry, limitMicros, buckets: stored, recount, expiresAtMs })
  }
}
