import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPlainStore } from '../../../test/engines/limits/plain-store.ts'
import { createMemoryDayBuckets } from '../../adapters/memory/day-buckets.ts'
import { createCalendar } from '../../domain/limits/calendar-day.ts'
import type { LimitChange } from '../../ports/day-buckets.ts'
import { syncLimitCache } from './sync-limit-cache.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A cache in which another process changes the entry first, `quicker` times. */
function setup({ quicker = 0 } = {}) {
  const clock = { nowMs: () => Date.parse('2026-03-01T12:00:00Z'), monotonicMs: () => 7.25 }
  const store = createPlainStore()
  const buckets = createMemoryDayBuckets({ clock })
  const changes: LimitChange[] = []
  const sync = syncLimitCache({
    users: store.users,
    ledger: store.ledger,
    calendar: createCalendar('UTC'),
    clock,
    buckets: {
      ...buckets,
      enforceLimit: async (userId, change) => {
        changes.push(change)
        return changes.length > quicker && buckets.enforceLimit(userId, change)
      },
    },
  })
  store.setLimit('usr_1', '5', true)
  return { sync, changes }
}

test('`kept` changes only days that can still have a bucket, and `all` every day', async () => {
  const { sync, changes } = setup()
  await sync('usr_1', 'kept')
  await sync('usr_1', 'all')
  expect(changes.map(({ buckets }) => buckets.map(({ day }) => day))).toEqual(
    Array(2).fill(['2026-03-01', '2026-03-02']),
  )
  expect(changes.map(({ otherDays }) => otherDays)).toEqual([
    ['2026-02-28', '2026-02-27', '2026-02-26', '2026-02-25'],
    'all',
  ])
})

test('a sync succeeds after another process was faster a hundred times', async () => {
  const { sync, changes } = setup({ quicker: 100 })
  const done = sync('usr_1', 'all')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await done).toMatchObject({ kind: 'enforce' })
  expect(changes).toHaveLength(101)
})

test('a sync gives up within the time of an admin request', async () => {
  const { sync } = setup({ quicker: Number.POSITIVE_INFINITY })
  const given = expect(sync('usr_1', 'all')).rejects.toThrow('faster than it could be written')
  await vi.advanceTimersByTimeAsync(15_000)
  await given
})
