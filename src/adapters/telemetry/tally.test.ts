import { expect, test } from 'vitest'
import { createTally } from './tally.ts'

function openTally() {
  const observed: [labels: string, seconds: number][] = []
  const counted: [labels: string, times: number][] = []
  const tally = createTally({
    count: (labels, times) => counted.push([labels.join(' '), times]),
    observe: (labels, seconds) => observed.push([labels.join(' '), seconds]),
  })
  return { tally, observed, counted }
}

test('events are flushed only on demand, and once', () => {
  const { tally, observed, counted } = openTally()
  tally.record('get-task', 'GET', 200, 1)
  tally.record('get-task', 'GET', 404, 2)
  tally.record('list-tasks', 'GET', 200, 3)
  tally.record('get-task', 'GET', 200, 4)
  expect(observed).toEqual([])
  tally.flush()
  tally.flush()
  expect(observed).toEqual([
    ['get-task GET 200', 1],
    ['get-task GET 404', 2],
    ['list-tasks GET 200', 3],
    ['get-task GET 200', 4],
  ])
  expect(counted).toEqual([
    ['get-task GET 200', 2],
    ['get-task GET 404', 1],
    ['list-tasks GET 200', 1],
  ])
})

test('a full tally is flushed and continues to count', () => {
  const { tally, observed, counted } = openTally()
  for (let record = 0; record < 1_300; record++) tally.record('get-task', 'GET', 200 + (record % 3), record)
  expect(observed).toHaveLength(1_024)
  tally.flush()
  expect(observed).toEqual(
    Array.from({ length: 1_300 }, (_, record) => [`get-task GET ${200 + (record % 3)}`, record]),
  )
  // 1,300 events with three statuses: 434, 433 and 433.
  const total = Map.groupBy(counted, ([labels]) => labels)
    .values()
    .map((rows) => rows.reduce((sum, [, times]) => sum + times, 0))
  expect([...total]).toEqual([434, 433, 433])
})
