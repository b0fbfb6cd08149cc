import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBodyTurns } from './body-turns.ts'

test('one costly body is taken in each turn of the event loop, and organizations take turns', async () => {
  const turns = createBodyTurns()
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

test('a body that fails takes no turn from the next', async () => {
  const turns = createBodyTurns()
  const taken: string[] = []
  const fail = () => {
    throw new Error('failed')
  }
  expect(() => turns.take('a', fail)).toThrow('failed')
  turns.take('a', () => void taken.push('a2'))
  await turn()
  expect(taken).toEqual(['a2'])
})
