import { expect, test } from 'vitest'
import { createUsageBuffer } from '../../../src/app/billing/usage-buffer.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { UsageRowGroup, WrittenUsage } from '../../../src/ports/usage.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { sampleSpent } from './sample-spent.ts'
import { createTestClock } from './test-clock.ts'

/** Creates a buffer. `write` stands for the write of its store, and may fail. */
function createScenario(write: (group: UsageRowGroup) => void | Promise<void>) {
  const written: string[] = []
  const lost: string[] = []
  const tries: UsageRowGroup[] = []
  const waiting: number[] = []
  let ids = 0
  const unused = () => Promise.reject(new Error('not used here'))
  const buffer = createUsageBuffer({
    usage: {
      lease: unused,
      whyRefused: unused,
      renew: unused,
      giveBack: unused,
      write: async (group): Promise<WrittenUsage> => {
        tries.push(group)
        await write(group)
        return { days: [], charges: [] }
      },
    },
    clock: createTestClock(),
    newId: (prefix) => `${prefix}_${++ids}`,
    log: SILENT_LOG,
    metrics: silentMetrics({ usageWaiting: (rows) => waiting.push(rows) }),
    end: {
      written: (spents) => written.push(...spents.map(({ row }) => row.id)),
      lost: (spents) => lost.push(...spents.map(({ row }) => row.id)),
      daysDone: async () => {},
    },
  })
  const add = (...names: string[]) => {
    for (const name of names) buffer.add(sampleSpent(name))
  }
  return { buffer, add, written, lost, tries, waiting }
}

test('a group that the store refused is retried unchanged, and new rows follow it', async () => {
  let isAway = true
  const scenario = createScenario(() => {
    if (isAway) throw new ApiError('store_unavailable')
  })
  scenario.add('a', 'b')
  expect(await scenario.buffer.writeGroup()).toBe(false)
  scenario.add('c')
  expect(scenario.buffer.waiting()).toBe(3)
  isAway = false
  expect(await scenario.buffer.writeGroup()).toBe(true)
  expect(await scenario.buffer.writeGroup()).toBe(true)
  expect(scenario.tries.map(({ id, rows }) => [id, rows.map((row) => row.id).join()])).toEqual([
    ['ent_1', 'a,b'],
    ['ent_1', 'a,b'],
    ['ent_2', 'c'],
  ])
  expect(scenario.written).toEqual(['a', 'b', 'c'])
  expect(scenario.waiting).toEqual([2, 1, 0])
  expect(scenario.buffer.waiting()).toBe(0)
})

test('one row that the store refuses does not keep the others from being written', async () => {
  const scenario = createScenario(({ rows }) => {
    if (rows.some(({ id }) => id === 'bad')) throw new Error('NOT NULL constraint failed')
  })
  scenario.add('a', 'b', 'bad', 'c', 'd')
  for (let tries = 0; tries < 20 && scenario.buffer.waiting() > 0; tries += 1)
    await scenario.buffer.writeGroup()
  expect(scenario.written).toEqual(['a', 'b', 'c', 'd'])
  expect(scenario.lost).toEqual(['bad'])
  expect(scenario.buffer.waiting()).toBe(0)
})

test('it wakes the writer for the first row and for a full group', () => {
  const scenario = createScenario(() => {})
  let woken = 0
  scenario.buffer.whenDue(() => {
    woken += 1
  })
  scenario.add('first')
  expect(woken).toBe(1)
  for (let row = 2; row < 500; row += 1) scenario.add(`use_${row}`)
  expect(woken).toBe(1)
  scenario.add('last')
  expect(woken).toBe(2)
})

test('it reports full at 10,000 rows, but accepts further rows', async () => {
  const scenario = createScenario(() => {})
  for (let row = 0; row < 9_999; row += 1) scenario.add(`use_${row}`)
  expect(scenario.buffer.isFull()).toBe(false)
  scenario.add('one', 'more')
  expect(scenario.buffer.isFull()).toBe(true)
  while (scenario.buffer.waiting() > 0) await scenario.buffer.writeGroup()
  expect(scenario.written.length).toBe(10_001)
  expect(scenario.buffer.isFull()).toBe(false)
})

test('rows that are given up are counted as lost once', async () => {
  const scenario = createScenario(() => {
    throw new ApiError('store_unavailable')
  })
  scenario.add('a')
  await scenario.buffer.writeGroup()
  scenario.add('b')
  scenario.buffer.close()
  scenario.buffer.close()
  expect(scenario.lost).toEqual(['a', 'b'])
  expect(scenario.buffer.waiting()).toBe(0)
})

test.each([
  ['is written after all', () => {}, { written: ['a'], lost: ['b'] }],
  ['fails', () => Promise.reject(new ApiError('store_unavailable')), { written: [], lost: ['b', 'a'] }],
  [
    'is refused',
    () => Promise.reject(new Error('CHECK constraint failed')),
    { written: [], lost: ['b', 'a'] },
  ],
])('a group whose write runs at the close belongs to that write: it %s', async (_, answer, ends) => {
  const gate = Promise.withResolvers<void>()
  const scenario = createScenario(() => gate.promise.then(answer))
  scenario.add('a')
  const writing = scenario.buffer.writeGroup()
  scenario.add('b')
  expect(scenario.buffer.close()).toBe(1)
  expect(scenario.lost).toEqual(['b'])
  expect(scenario.buffer.waiting()).toBe(1)
  gate.resolve()
  await writing
  expect({ written: scenario.written, lost: scenario.lost }).toEqual(ends)
  expect(scenario.buffer.waiting()).toBe(0)
})

test('usage after the end is lost and counted, and no request waits for the closed writer', () => {
  const scenario = createScenario(() => {})
  expect(scenario.buffer.close()).toBe(0)
  scenario.add('late')
  expect(scenario.lost).toEqual(['late'])
  expect(scenario.buffer.waiting()).toBe(0)
})
