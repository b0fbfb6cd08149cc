import { expect, test } from 'vitest'
import type { RefusedRequest } from '../../ports/request-log.ts'
import { createRefusalLog } from './refusal-log.ts'

const MINUTE_MS = 60_000
const BEGIN_MS = 1_000 * MINUTE_MS

function openLog() {
  const time = { nowMs: BEGIN_MS }
  const written: RefusedRequest[] = []
  let ids = 0
  const store = { isDown: false }
  const log = createRefusalLog({
    requestLog: {
      async writeRefused(rows) {
        if (store.isDown) throw new Error('the store is down')
        written.push(...rows)
      },
    },
    clock: { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs },
    newId: (prefix) => `${prefix}_${++ids}`,
  })
  let requests = 0
  const refuse = (times: number, keyId = 'key_1', organizationId = 'org_1') => {
    for (let time = 0; time < times; time += 1)
      log.note({
        ...{ id: `req_${++requests}`, organizationId, userId: 'usr_1', keyId, operation: 'messages' },
        ...{ status: 429, code: 'rate_limited', model: null, durationMs: 1 },
      })
  }
  return { log, time, written, store, refuse }
}

const counts = (rows: readonly RefusedRequest[]) => rows.flatMap(({ notKept }) => notKept ?? [])

test('60 of 1,000 refusals in a minute are kept, and one row counts the other 940', async () => {
  const { log, time, written, refuse } = openLog()
  refuse(1_000)
  await log.flush()
  expect(written).toHaveLength(60)
  time.nowMs += MINUTE_MS
  await log.flush()
  expect(written).toHaveLength(61)
  expect(written.at(-1)).toEqual({
    ...{ id: 'ref_1', organizationId: 'org_1', userId: 'usr_1', keyId: 'key_1', atMs: BEGIN_MS + MINUTE_MS },
    ...{
      operation: null,
      status: null,
      code: 'refusals_not_kept',
      model: null,
      durationMs: null,
      notKept: 940,
    },
  })
  await log.flush()
  expect(written).toHaveLength(61)
})

test('each key and each minute counts by itself', async () => {
  const { log, time, written, refuse } = openLog()
  refuse(61, 'key_1')
  refuse(62, 'key_2')
  time.nowMs += MINUTE_MS
  refuse(63, 'key_1')
  time.nowMs += MINUTE_MS
  await log.flush()
  expect(counts(written).toSorted()).toEqual([1, 2, 3])
  expect(written).toHaveLength(183)
})

test('a draining process writes the counts of the current minute', async () => {
  const { log, time, written, refuse } = openLog()
  refuse(70)
  time.nowMs += 5
  await log.close()
  expect(counts(written)).toEqual([10])
  expect(written.at(-1)?.atMs).toBe(BEGIN_MS + 5)
})

test('an organization fills only its share while the store is down, and the rest is counted', async () => {
  const { log, time, written, store, refuse } = openLog()
  store.isDown = true
  for (let key = 0; key < 100; key += 1) refuse(60, `key_a${key}`, 'org_a')
  refuse(5, 'key_b', 'org_b')
  await expect(log.flush()).rejects.toThrow('down')
  time.nowMs += MINUTE_MS
  store.isDown = false
  await log.flush()
  const of = (id: string) =>
    written.filter(({ organizationId, notKept }) => organizationId === id && notKept === null)
  expect([of('org_a').length, of('org_b').length]).toEqual([1_250, 5])
  expect(counts(written).reduce((sum, count) => sum + count, 0)).toBe(6_000 - 1_250)
})

test('refusals of keys beyond the 10,000 that are counted in a minute take no memory', async () => {
  const { log, time, written, refuse } = openLog()
  for (let key = 0; key < 10_100; key += 1) refuse(1, `key_${key}`, `org_${key % 100}`)
  time.nowMs += MINUTE_MS
  await log.flush()
  expect(written).toHaveLength(10_000)
})
