import type { DayBuckets, UserDay } from '../../../ports/day-buckets.ts'
import type { Log } from '../../../ports/log.ts'

/**
 * Days whose shared bucket may lack a change or have an outdated reservation, because the engine did not answer. Their
 * buckets are dropped as soon as the engine answers, and are then rebuilt from the store.
 */
export interface StaleDays {
  add(day: UserDay): void
  isEmpty(): boolean
  /** Resolves when every stale bucket is gone; rejects while the engine is unreachable. */
  drop(): Promise<void>
}

const MAX_DAYS = 100_000
const BATCH_MAX = 100

export function staleDays({ buckets, log }: { buckets: Pick<DayBuckets, 'drop'>; log: Log }): StaleDays {
  const days = new Map<string, UserDay>()
  let dropping: Promise<void> | undefined

  return {
    add,
    isEmpty: () => days.size === 0,
    drop() {
      dropping ??= dropAll().finally(() => {
        dropping = undefined
      })
      return dropping
    },
  }

  function add(day: UserDay): void {
    days.set(`${day.day} ${day.userId}`, day)
    if (days.size <= MAX_DAYS) return
    const [oldest = ''] = days.keys()
    days.delete(oldest)
    log.error('limits.too_many_days', { count: MAX_DAYS })
  }

  async function dropAll(): Promise<void> {
    while (days.size > 0)
      await Promise.all([...days].slice(0, BATCH_MAX).map(([key, day]) => dropOne(key, day)))
  }

  /** The day leaves the list first, so that a new problem with that day during the drop adds it again. */
  async function dropOne(key: string, day: UserDay): Promise<void> {
    days.delete(key)
    try {
      await buckets.drop(day)
    } catch (error) {
      add(day)
      throw error
    }
  }
}
