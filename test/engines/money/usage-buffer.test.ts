import { expect, test } from 'vitest'
import { createUsageBuffer } from '../../../src/app/billing/usage-buffer.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { UsageRowGroup, WrittenUsage } from '../../../src/ports/usage.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { sampleSpent } from './sample-spent.ts'
import { createStoryClock } from './story-clock.ts'

/** A buffer whose store takes what `write` lets pass. */
function createStory(write: (group: UsageRowGroup) => void | Promise<void>) {
  const written: string[] = []
  const lost: string[] = []
  const tries: UsageRowGroup[] = []
  const waiting: number[] = []
  let ids = 0
  const unused = () => Promise.reject(new Error('not used here'))
  const buffer = createUsageBuffer({
    usage: {
      lease: unused,
      isBudgetSpent: unused,
      availableMicros: unused,
      renew: unused,
      giveBack: unused,
      write: async (group): Promise<WrittenUsage> => {
        tries.push(group)
        await write(group)
        return { days: [], charges: [] }
      },
    },
    clock: createStoryClock(),
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

test('a group that the store did not take is tried again as it was, and new rows come after it', async () => {
  let isAway = true
  const story = createStory(() => {
    if (isAway) throw new ApiError('store_unavailable')
  })
  story.add('a', 'b')
  expect(await story.buffer.writeGroup()).toBe(false)
  story.add('c')
  expect(story.buffer.waiting()).toBe(3)
  isAway = false
  expect(await story.buffer.writeGroup()).toBe(true)
  expect(await story.buffer.writeGroup()).toBe(true)
  expect(story.tries.map(({ id, rows }) => [id, rows.map((row) => row.id).join()])).toEqual([
    ['ent_1', 'a,b'],
    ['ent_1', 'a,b'],
    ['ent_2', 'c'],
  ])
  expect(story.written).toEqual(['a', 'b', 'c'])
  expect(story.waiting).toEqual([2, 1, 0])
  expect(story.buffer.waiting()).toBe(0)
})

test('one row that the store refuses does not keep the others from being written', async () => {
  const story = createStory(({ rows }) => {
    if (rows.some(({ id }) => id === 'bad')) throw new Error('NOT NULL constraint failed')
  })
  story.add('a', 'b', 'bad', 'c', 'd')
  for (let tries = 0; tries < 20 && story.buffer.waiting() > 0; tries += 1) await story.buffer.writeGroup()
  expect(story.written).toEqual(['a', 'b', 'c', 'd'])
  expect(story.lost).toEqual(['bad'])
  expect(story.buffer.waiting()).toBe(0)
})

test('it wakes the writer for the first row and for a full group', () => {
  const story = createStory(() => {})
  let woken = 0
  story.buffer.whenDue(() => {
    woken += 1
  })
  story.add('first')
  expect(woken).toBe(1)
  for (let row = 2; row < 500; row += 1) story.add(`use_${row}`)
  expect(woken).toBe(1)
  story.add('last')
  expect(woken).toBe(2)
})

test('it is full at 10,000 rows and takes what still comes', async () => {
  const story = createStory(() => {})
  for (let row = 0; row < 9_999; row += 1) story.add(`use_${row}`)
  expect(story.buffer.isFull()).toBe(false)
  story.add('one', 'more')
  expect(story.buffer.isFull()).toBe(true)
  while (story.buffer.waiting() > 0) await story.buffer.writeGroup()
  expect(story.written.length).toBe(10_001)
  expect(story.buffer.isFull()).toBe(false)
})

test('what is given up is counted as lost once', async () => {
  const story = createStory(() => {
    throw new ApiError('store_unavailable')
  })
  story.add('a')
  await story.buffer.writeGroup()
  story.add('b')
  story.buffer.close()
  story.buffer.close()
  expect(story.lost).toEqual(['a', 'b'])
  expect(story.buffer.waiting()).toBe(0)
})

test.each([
  ['is written after all', () => {}, { written: ['a'], lost: ['b'] }],
  ['fails', () => Promise.reject(new ApiError('store_unavailable')), { written: [], lost: ['b', 'a'] }],
  [
    'is refused',
    () => Promise.reject(new Error('CHECK constraint failed')),
    { written: [], lost: ['b', 'a'] },
  ],
])('a group that is being written at the end belongs to that write: it %s', async (_, answer, ends) => {
  const gate = Promise.withResolvers<void>()
  const story = createStory(() => gate.promise.then(answer))
  story.add('a')
  const writing = story.buffer.writeGroup()
  story.add('b')
  expect(story.buffer.close()).toBe(1)
  expect(story.lost).toEqual(['b'])
  expect(story.buffer.waiting()).toBe(1)
  gate.resolve()
  await writing
  expect({ written: story.written, lost: story.lost }).toEqual(ends)
  expect(story.buffer.waiting()).toBe(0)
})

test('what comes after the end is lost and counted, and nothing waits for a writer that is gone', () => {
  const story = createStory(() => {})
  expect(story.buffer.close()).toBe(0)
  story.add('late')
  expect(story.lost).toEqual(['late'])
  expect(story.buffer.waiting()).toBe(0)
})
