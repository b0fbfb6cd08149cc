import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBodyTurns } from './body-turns.ts'

let nowMs = 0
const CLOCK = { monotonicMs: () => nowMs }

test('each turn of the event loop handles one costly body, and organizations take turns', async () => {
  const turns = createBodyTurns(CLOCK)
  const taken: string[] = []
  for (const name of ['a1', 'a2', 'a3', 'b1']) turns.take(name.slice(0, 1), () => void taken.push(name))
  expect(taken).toEqual(['a1'])
  await turn()
  expect(taken).toEqual(['a1', 'a2'])
  await turn()
  expect(taken).toEqual(['a1', 'a2', 'b1'])
  await turn()
  expect(taken).toEqual(['a1', 'a2', 'b1', 'a3'])
  await turn()
  turns.take('a', () => void taken.push('a4'))
  expect(taken.at(-1)).toBe('a4')
})

test('a turn handles bodies as long as other work took since the last turn, and at most 8 ms', async () => {
  let nowMs = 0
  const turns = createBodyTurns({ monotonicMs: () => nowMs })
  let taken = 0
  const take = () => {
    nowMs += 1
    taken += 1
    return true
  }
  for (let body = 0; body < 20; body += 1) turns.take('a', take)
  expect(taken).toBe(1)
  nowMs += 3
  await turn()
  expect(taken).toBe(1 + 3)
  await turn()
  expect(taken).toBe(4 + 1)
  nowMs += 400
  await turn()
  expect(taken).toBe(5 + 8)
})

test('a piece whose work follows later ends its turn', async () => {
  const turns = createBodyTurns(CLOCK)
  let taken = 0
  for (let piece = 0; piece < 3; piece += 1) turns.take('a', () => void taken++)
  for (let taking = 1; taking <= 3; taking += 1) {
    expect(taken).toBe(taking)
    nowMs += 100
    await turn()
  }
})

test('a turn runs up to 32 pieces that return `short`', async () => {
  const turns = createBodyTurns(CLOCK)
  let taken = 0
  const take = () => {
    taken += 1
    return 'short'
  }
  nowMs += 100
  for (let piece = 0; piece < 70; piece += 1) turns.take('a', take)
  for (const total of [1, 33, 65, 70]) {
    expect(taken).toBe(total)
    nowMs += 100
    await turn()
  }
})

test('the organization that has used the least time is first', async () => {
  const turns = createBodyTurns(CLOCK)
  turns.book.add('a', 200)
  turns.book.add('b', 100)
  const taken: string[] = []
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) turns.take(name.slice(0, 1), () => void taken.push(name))
  while (taken.length < 5) await turn()
  expect(taken).toEqual(['a1', 'c1', 'b1', 'b2', 'a2'])
})

test('a failing body does not delay the next one', async () => {
  const turns = createBodyTurns(CLOCK)
  const taken: string[] = []
  const fail = () => {
    throw new Error('failed')
  }
  expect(() => turns.take('a', fail)).toThrow('failed')
  turns.take('a', () => void taken.push('a2'))
  await turn()
  expect(taken).toEqual(['a2'])
})

test('estimates the wait of a further body by the bodies of its own organization', async () => {
  const turns = createBodyTurns(CLOCK)
  const takes = (ms: number) => () => {
    nowMs += ms
  }
  for (let body = 0; body < 200; body += 1) turns.take('a', takes(4))
  turns.take('b', takes(60))
  turns.take('b', takes(60))
  await turn()
  // One measured body is enough for the estimate.
  expect(turns.waitMsOf('a')).toBe(198 * 4)
  for (let taken = 2; taken < 192; taken += 1) await turn()
  expect(turns.waitMsOf('a')).toBeCloseTo(10 * 4, 1)
  expect(turns.waitMsOf('b')).toBe(0)
  turns.take('b', takes(60))
  // No duration is known for this organization any more.
  expect(turns.waitMsOf('b')).toBe(0)
  expect(turns.waitMsOf('a')).toBeCloseTo(10 * 4, 1)
})
