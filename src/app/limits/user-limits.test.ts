import { expect, test } from 'vitest'
import type { User } from '../../domain/access/user.ts'
import type { UserLimitEntry } from '../../domain/limits/user-limit.ts'
import { userLimits } from './user-limits.ts'

function story() {
  let nowMs = 0
  let cached: UserLimitEntry | undefined
  let row: User | undefined
  let [isAway, reads] = [false, 0]
  const warnings: string[] = []
  const syncs: { recount: boolean }[] = []
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
        if (isAway) throw new Error('away')
        return cached
      },
    },
    bringInLine: async (_userId, wish) => {
      syncs.push(wish)
      cached = row && { maxDailyUserLimit: row.maxDailyUserLimit ?? '0', enableLimit: row.enableLimit }
      return { kind: 'forget' }
    },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    log: { debug: warn, info: warn, warn, error: warn },
  })
  return {
    find: () => limits.find('usr_1'),
    note: () => limits.noteUncounted('usr_1'),
    forget: () => limits.forget('usr_1'),
    later: () => {
      nowMs += 4_500
      return limits.find('usr_1')
    },
    row: (maxDailyUserLimit: string | null, enableLimit: boolean) => {
      row = { id: 'usr_1', organizationId: 'org_1', name: '', maxDailyUserLimit, enableLimit, createdAtMs: 0 }
    },
    removeRow: () => {
      row = undefined
    },
    cacheIsAway: (away: boolean) => {
      isAway = away
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

test('a user without a limit is known at once, and no entry is made for them', async () => {
  const { find, row, syncs, reads } = story()
  row(null, false)
  expect(await find()).toBeUndefined()
  expect(find()).toBeUndefined()
  expect(reads()).toBe(1)
  expect(syncs).toEqual([])
})

test('the cache is brought in line when the row says something else, and only then', async () => {
  const { later, row, removeRow, syncs } = story()
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
  expect(syncs).toEqual(Array(4).fill({ recount: false }))
})

test('the news of a change has the row read again', async () => {
  const { find, forget, row, reads } = story()
  row('5', true)
  await find()
  row('6', true)
  forget()
  expect(await find()).toEqual(limit('6', 6_000_000))
  expect(reads()).toBe(2)
})

test('what was not counted makes a recount, once, when there is a limit', async () => {
  const { later, note, row, syncs } = story()
  row('5', false)
  await later()
  note()
  await later()
  expect(syncs).toEqual([])
  row('5', true)
  await later()
  await later()
  expect(syncs).toEqual([{ recount: true }])
})

test('a row that the sync would refuse: the last good limit, and one warning for each change', async () => {
  const { later, row, cacheIsAway, syncs, warnings } = story()
  row('5', true)
  await later()
  for (const max of ['0', '0', '-1']) {
    row(max, true)
    expect(await later()).toEqual(limit('5', 5_000_000))
  }
  cacheIsAway(true)
  expect(await later()).toEqual(limit('5', 5_000_000))
  expect(syncs).toHaveLength(1)
  expect(warnings).toHaveLength(2)
})

test('a row that was never good sets no limit', async () => {
  const { find, row } = story()
  row('0', true)
  expect(await find()).toBeUndefined()
})

test('while the cache is away the row alone decides', async () => {
  const { find, row, cacheIsAway, syncs } = story()
  cacheIsAway(true)
  row('5', true)
  expect(await find()).toEqual(limit('5', 5_000_000))
  expect(syncs).toEqual([])
})
