import { expect, test } from 'vitest'
import { createTally } from './tally.ts'

function openTally() {
  const observed: [labels: string, seconds: number][] = []
  const tally = createTally((labels, seconds) => observed.push([labels.join(' '), seconds]))
  return { tally, observed }
}

test('nothing is handed on before it is asked for, and nothing twice', () => {
  const { tally, observed } = openTally()
  tally.note('get-task', 'GET', 200, 1)
  tally.note('get-task', 'GET', 404, 2)
  tally.note('list-tasks', 'GET', 200, 3)
  tally.note('get-task', 'GET', 200, 4)
  expect(observed).toEqual([])
  tally.handOn()
  tally.handOn()
  expect(observed).toEqual([
    ['get-task GET 200', 1],
    ['get-task GET 404', 2],
    ['list-tasks GET 200', 3],
    ['get-task GET 200', 4],
  ])
})

test('a full tally hands itself on and goes on counting', () => {
  const { tally, observed } = openTally()
  for (let note = 0; note < 1_300; note++) tally.note('get-task', 'GET', 200 + (note % 3), note)
  expect(observed).toHaveLength(1_024)
  tally.handOn()
  expect(observed).toEqual(
    Array.from({ length: 1_300 }, (_, note) => [`get-task GET ${200 + (note % 3)}`, note]),
  )
})
