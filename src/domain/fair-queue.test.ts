import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

test('holders take turns, and each is served in its own order', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item)
  expect(queue.size).toBe(6)
  expect(queue.sizeOf('a')).toBe(3)
  expect(Array.from({ length: 7 }, () => queue.shift())).toEqual([
    ...['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    undefined,
  ])
  expect(queue.size).toBe(0)
})

test('the holder that has used the least is first', () => {
  const used: Record<string, number> = { a: 3, b: 1, c: 1 }
  const queue = new FairQueue<string>((holder) => used[holder] ?? 0)
  for (const item of ['a1', 'b1', 'b2', 'c1', 'd1']) queue.push(item.slice(0, 1), item)
  expect(queue.shift((holder) => holder !== 'd')).toBe('b1')
  expect(Array.from({ length: 4 }, () => queue.shift())).toEqual(['d1', 'c1', 'b2', 'a1'])
})

test('a removed item is not served', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.slice(0, 1), item)
  expect(queue.remove('a', 'a1')).toBe(true)
  expect(queue.remove('a', 'a1')).toBe(false)
  expect(queue.remove('b', 'b1')).toBe(true)
  expect(queue.sizeOf('b')).toBe(0)
  expect(queue.size).toBe(1)
  expect([queue.shift(), queue.shift()]).toEqual(['a2', undefined])
})

test('a holder that may not run keeps its turn', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.slice(0, 1), item)
  expect(queue.shift((holder) => holder !== 'a')).toBe('b1')
  expect(queue.shift((holder) => holder !== 'a')).toBeUndefined()
  expect(queue.size).toBe(2)
  expect([queue.shift(), queue.shift()]).toEqual(['a1', 'a2'])
})
