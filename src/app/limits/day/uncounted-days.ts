import type { Clock } from '../../../ports/clock.ts'
import type { UserDay } from '../../../ports/day-buckets.ts'
import { TRUST_MS } from '../../ttl-cache.ts'
import type { UserLimits } from '../user-limits.ts'

/**
 * Days whose change was not applied to a bucket, because this process knew no limit of the user. The user may have a
 * limit by now, and another replica may have built a bucket that lacks the change. The user's row is therefore read
 * again `TRUST_MS` after the last change. For busy users, `user-limits.ts` reads the row again anyway.
 */
export interface UncountedDays {
  note(day: UserDay): void
  /** Removes the day; returns true when it was noted. */
  take(day: UserDay): boolean
  close(): void
}

const LOOK_EVERY_MS = 500
const BATCH_MAX = 100
/** Beyond this number the oldest days are forgotten. */
const MAX_DAYS = 100_000

export function uncountedDays(tools: {
  limits: Pick<UserLimits, 'findSince'>
  /** Drops the bucket of a day, so that it is rebuilt from the store. */
  recount(day: UserDay): Promise<void>
  clock: Clock
}): UncountedDays {
  const { limits, recount, clock } = tools
  const days = new Map<string, { day: UserDay; notedAtMs: number }>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  return {
    note({ userId, day }) {
      const key = keyOf({ userId, day })
      days.delete(key)
      days.set(key, { day: { userId, day }, notedAtMs: clock.monotonicMs() })
      const [oldest = ''] = days.size > MAX_DAYS ? days.keys() : []
      days.delete(oldest)
      lookLater()
    },
    take: (day) => days.size > 0 && days.delete(keyOf(day)),
    close() {
      closed = true
      clearTimeout(timer)
    },
  }

  function lookLater(): void {
    if (timer !== undefined || closed) return
    timer = setTimeout(async () => {
      await checkDue()
      timer = undefined
      if (days.size > 0) lookLater()
    }, LOOK_EVERY_MS)
    timer.unref()
  }

  /** After a group with a failed check, other days wait for the next pass: store or cache is probably unreachable. */
  async function checkDue(): Promise<void> {
    let due: string[]
    let areAllChecked: boolean
    do {
      due = dueKeys()
      const checked = await Promise.all(due.map(check))
      areAllChecked = checked.every(Boolean)
    } while (due.length === BATCH_MAX && areAllChecked && !closed)
  }

  function dueKeys(): string[] {
    const dueMs = clock.monotonicMs() - TRUST_MS
    const keys: string[] = []
    for (const [key, { notedAtMs }] of days) {
      if (notedAtMs > dueMs || keys.length === BATCH_MAX) break
      keys.push(key)
    }
    return keys
  }

  async function check(key: string): Promise<boolean> {
    const noted = days.get(key)
    if (noted === undefined) return true
    try {
      const limit = await limits.findSince(noted.day.userId, noted.notedAtMs)
      // The day was taken or noted again meanwhile.
      if (days.get(key) !== noted) return true
      days.delete(key)
      if (limit !== undefined) await recount(noted.day)
      return true
    } catch {
      // The day moves to the end, because a day that can never be read must not block other days.
      if (days.delete(key)) days.set(key, noted)
      return false
    }
  }
}

function keyOf({ userId, day }: UserDay): string {
  return `${day} ${userId}`
}
