import type { Clock } from '../../../ports/clock.ts'
import type { UserDay } from '../../../ports/day-buckets.ts'
import { TRUST_MS, type UserLimits } from '../user-limits.ts'

/**
 * Days that were changed without telling their bucket, because the user had no limit as far as this process knew. The
 * row may say otherwise by then, and another replica may have built a bucket that lacks the change. So once such a
 * user has been quiet for as long as a remembered row is trusted, the row is asked for again. For busy users it was read
 * meanwhile anyway.
 */
export interface UncountedDays {
  note(day: UserDay): void
  /** True when the day was noted; from now on it is not. */
  take(day: UserDay): boolean
  close(): void
}

const LOOK_EVERY_MS = 500
const AT_ONCE = 100
/** Beyond it the oldest are given up. */
const MAX_DAYS = 100_000

export function uncountedDays({
  limits,
  recount,
  clock,
}: {
  limits: Pick<UserLimits, 'findSince'>
  /** Has the bucket of a day built again from the store. */
  recount(day: UserDay): Promise<void>
  clock: Clock
}): UncountedDays {
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

  /** When one fails, the others wait for the next pass: the store or the cache is probably unreachable. */
  async function checkDue(): Promise<void> {
    let due: string[]
    let isTold: boolean
    do {
      due = dueKeys()
      const told = await Promise.all(due.map(check))
      isTold = told.every(Boolean)
    } while (due.length === AT_ONCE && isTold && !closed)
  }

  function dueKeys(): string[] {
    const dueMs = clock.monotonicMs() - TRUST_MS
    const keys: string[] = []
    for (const [key, { notedAtMs }] of days) {
      if (notedAtMs > dueMs || keys.length === AT_ONCE) break
      keys.push(key)
    }
    return keys
  }

  async function check(key: string): Promise<boolean> {
    const noted = days.get(key)
    if (noted === undefined) return true
    try {
      const limit = await limits.findSince(noted.day.userId, noted.notedAtMs)
      // Taken or noted again meanwhile, it is not ours any more.
      if (days.get(key) !== noted) return true
      days.delete(key)
      if (limit !== undefined) await recount(noted.day)
      return true
    } catch {
      // To the end: a day that can never be read must not block the others.
      if (days.delete(key)) days.set(key, noted)
      return false
    }
  }
}

function keyOf({ userId, day }: UserDay): string {
  return `${day} ${userId}`
}
