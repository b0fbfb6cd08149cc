import { expect, test } from 'vitest'
import { createKeyRing, type RingKey } from './key-ring.ts'

const NONE: ReadonlySet<RingKey> = new Set()

function openRing(...weights: number[]) {
  const time = { ms: 1_000_000 }
  const keys = weights.map((weight, index) => ({ key: { reveal: () => `key-${index + 1}` }, weight }))
  const [first, second, third] = keys
  if (first === undefined || second === undefined || third === undefined) throw new Error('give 3 weights')
  const ring = createKeyRing(keys, { nowMs: () => 0, monotonicMs: () => time.ms })
  const next = (tried = NONE) => ring.next(tried)?.key.reveal()
  return { ring, keys: [first, second, third] as const, time, next }
}

function tally(names: readonly (string | undefined)[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => `${name}`)].map(([name, all]) => [name, all.length]),
  )
}

test('over a thousand calls each key has its share', () => {
  const { next } = openRing(1, 2, 7)
  const names = Array.from({ length: 1_000 }, () => next())
  expect(tally(names)).toEqual({ 'key-1': 100, 'key-2': 200, 'key-3': 700 })
})

test('the calls of a key with a high weight are spread among those of other keys', () => {
  const { next } = openRing(5, 1, 1)
  expect(Array.from({ length: 7 }, () => next())).toEqual([
    'key-1',
    'key-1',
    'key-2',
    'key-1',
    'key-3',
    'key-1',
    'key-1',
  ])
})

test('a resting key is skipped, and then has its share again', () => {
  const { ring, keys, time, next } = openRing(1, 1, 2)
  ring.rest(keys[2], 5_000)
  expect(tally(Array.from({ length: 100 }, () => next()))).toEqual({ 'key-1': 50, 'key-2': 50 })
  time.ms += 4_999
  expect(next()).not.toBe('key-3')
  time.ms += 1
  const names = Array.from({ length: 400 }, () => next())
  expect(tally(names)['key-3']).toBe(200)
})

test('when all keys rest, the key whose rest ends first is used', () => {
  const { ring, keys, next } = openRing(1, 1, 1)
  ring.rest(keys[0], 60_000)
  ring.rest(keys[1], 1_000)
  ring.rest(keys[2], 5_000)
  expect([next(), next()]).toEqual(['key-2', 'key-2'])
})

test('the ring is awake while one key is not resting', () => {
  const { ring, keys, time } = openRing(1, 1, 1)
  const [first, second, third] = keys
  ring.rest(first, 5_000)
  ring.rest(second, 5_000)
  expect(ring.isAwake()).toBe(true)
  ring.rest(third, 1_000)
  expect(ring.isAwake()).toBe(false)
  time.ms += 1_000
  expect(ring.isAwake()).toBe(true)
})

test('a call that has tried a key gets no resting key', () => {
  const { ring, keys, next } = openRing(1, 1, 1)
  ring.rest(keys[1], 1_000)
  expect(next(new Set([keys[0]]))).toBe('key-3')
  expect(next(new Set([keys[0], keys[2]]))).toBeUndefined()
  expect(next(new Set(keys))).toBeUndefined()
})

test('a short rest does not end a longer one', () => {
  const { ring, keys, time, next } = openRing(1, 1, 1)
  ring.rest(keys[0], 60_000)
  ring.rest(keys[0], 0)
  time.ms += 59_999
  expect(Array.from({ length: 10 }, () => next())).not.toContain('key-1')
})
