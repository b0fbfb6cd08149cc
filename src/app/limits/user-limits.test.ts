import { expect, test } from 'vitest'
import type { User } from '../../domain/access/organization.ts'
import { isSameEntry, type UserLimitEntry } from '../../domain/limits/user-limit.ts'
import type { BucketReach } from './sync-limit-cache.ts'
import { userLimits } from './user-limits.ts'

function setup() {
  let nowMs = 0
  let cached: UserLimitEntry | undefined
  let row: User | undefined
  let [isUnreachable, isStuck, reads] = [false, false, 0]
  const warnings: string[] = []
  const syncs: BucketReach[] = []
  const warn = (event: string) => void warnings.push(event)
  const limits = userLimits({
    users: {
      find: async () => {
        reads += 1
        return row
      },
    },
    buckets: {
      readLimit: async () => {
        if (isUnreachable) throw new Error('unreachable')
        return cached
      },
      writeLimit: async (_userId, { seen, entry }) => {
        if (!isSameEntry(seen, cached)) return false
        cached = entry
        return true
      },
    },
    syncLimitCache: async (_userId, reach) => {
      syncs.push(reach)
      if (isStuck) throw new Error('stuck')
      cached = row && { maxDailyUserLimit: row.maxDailyUserLimit ?? '0', enableLimit: row.enableLimit }
      return { kind: 'forget' }
    },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    log: { debug: warn, info: warn, warn, error: warn },
  })
  return {
    find: () => limits.find('usr_1'),
    findSince: (sinceMs: number) => limits.findSince('usr_1', sinceMs),
    at: (ms: number) => {
      nowMs = ms
    },
    cached: () => cached,
    setCached: (entry: UserLimitEntry) => {
      cached = entry
    },
    flush: () => {
      cached = undefined
    },
    cacheIsStuck: (stuck: boolean) => {
      isStuck = stuck
    },
    forget: () => limits.forget('usr_1'),
    later: () => {
      nowMs += 4_500
      return limits.find('usr_1')
    },
    row: (maxDailyUserLimit: string | null, enableLimit: boolean) => {
      const owner = { id: 'usr_1', organizationId: 'org_1', name: '', createdAtMs: 0, disabledAtMs: null }
      row = { ...owner, maxDailyUserLimit, enableLimit }
    },
    removeRow: () => {
      row = undefined
    },
    cacheIsUnreachable: (unreachable: boolean) => {
      isUnreachable = unreachable
    },
    reads: () => reads,
    syncs,
    warnings,
  }
}

const limit = (dollars: string, limitMicros: number) => ({
  entry: { maxDailyUserLimit: dollars, enableLimit: true },
  limitMicros,
})

test('a user without a limit is known after one read, and gets no entry', async () => {
  const { find, row, syncs, reads } = setup()
  row(null, false)
  expect(await find()).toBeUndefined()
  expect(find()).toBeUndefined()
  expect(reads()).toBe(1)
  expect(syncs).toEqual([])
})

test('the cache is synced only when the row differs', async () => {
  const { later, row, removeRow, syncs } = setup()
  row('5', true)
  expect(await later()).toEqual(limit('5', 5_000_000))
  await later()
  expect(syncs).toHaveLength(1)
  row('6', true)
  expect(await later()).toEqual(limit('6', 6_000_000))
  row('6', false)
  expect(await later()).toBeUndefined()
  await later()
  removeRow()
  expect(await later()).toBeUndefined()
  await later()
  expect(syncs).toEqual(Array(4).fill('kept'))
})

test('after a message about a change, the row is read again', async () => {
  const { find, forget, row, reads } = setup()
  row('5', true)
  await find()
  row('6', true)
  forget()
  expect(await find()).toEqual(limit('6', 6_000_000))
  expect(reads()).toBe(2)
})

test('for an invalid row the last good limit stays, with one warning for each change', async () => {
  const { later, row, cacheIsUnreachable, syncs, warnings } = setup()
  row('5', true)
  await later()
  for (const max of ['0', '0', '-1']) {
    row(max, true)
    expect(await later()).toEqual(limit('5', 5_000_000))
  }
  cacheIsUnreachable(true)
  expect(await later()).toEqual(limit('5', 5_000_000))
  expect(syncs).toHaveLength(1)
  expect(warnings).toHaveLength(2)
})

test('for an invalid row and a flushed cache the last good limit stays, and its entry is written again', async () => {
  const { later, row, flush, cached, warnings } = setup()
  row('5', true)
  await later()
  row('0', true)
  for (let turn = 0; turn < 2; turn += 1) {
    flush()
    expect(await later()).toEqual(limit('5', 5_000_000))
    expect(cached()).toEqual({ maxDailyUserLimit: '5', enableLimit: true })
  }
  expect(warnings).toEqual(['limits.invalid_kept_last'])
})

test('for an invalid row the valid entry of another replica applies, and stays after a flush', async () => {
  const one = setup()
  one.row('0', true)
  one.setCached({ maxDailyUserLimit: '7', enableLimit: true })
  expect(await one.later()).toEqual(limit('7', 7_000_000))
  one.flush()
  expect(await one.later()).toEqual(limit('7', 7_000_000))
})

test('for an invalid row a limit that was off stays off', async () => {
  const { later, row, warnings } = setup()
  row('5', true)
  await later()
  row('5', false)
  await later()
  row('0', true)
  expect(await later()).toBeUndefined()
  expect(warnings).toEqual(['limits.invalid_kept_last'])
})

test('a row that was never valid sets no limit and no entry, with a warning', async () => {
  const { later, row, cached, warnings } = setup()
  row('0', true)
  for (let turn = 0; turn < 2; turn += 1) expect(await later()).toBeUndefined()
  expect(cached()).toBeUndefined()
  expect(warnings).toEqual(['limits.invalid_none_known'])
})

test('`findSince` returns the limit of a row that was read after the given moment', async () => {
  const { find, findSince, at, row, reads } = setup()
  row('5', false)
  await find()
  row('5', true)
  at(4_500)
  expect(await findSince(0)).toEqual(limit('5', 5_000_000))
  expect(await findSince(0)).toEqual(limit('5', 5_000_000))
  expect(reads()).toBe(2)
  await expect(findSince(4_500)).rejects.toThrow('not known for sure')
})

test('`findSince` rejects while the cache is unreachable or cannot be synced', async () => {
  const { findSince, at, row, cacheIsUnreachable, cacheIsStuck } = setup()
  row('5', true)
  cacheIsUnreachable(true)
  at(4_500)
  await expect(findSince(0)).rejects.toThrow('not known for sure')
  cacheIsUnreachable(false)
  cacheIsStuck(true)
  at(9_000)
  await expect(findSince(0)).rejects.toThrow('not known for sure')
  cacheIsStuck(false)
  at(13_500)
  expect(await findSince(0)).toEqual(limit('5', 5_000_000))
})

test('while the cache is unreachable the row alone decides', async () => {
  const { find, row, cacheIsUnreachable, syncs } = setup()
  cacheIsUnreachable(true)
  row('5', true)
  expect(await find()).toEqual(limit('5', 5_000_000))
  expect(syncs).toEqual([])
})
