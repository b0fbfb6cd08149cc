import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { createRecentValues } from './recent-values.ts'

function createStillClock() {
  let atMs = 0
  return {
    nowMs: () => 0,
    monotonicMs: () => atMs,
    pass: (ms: number) => {
      atMs += ms
    },
  }
}

/** With keys and values of this size an entry counts as 1,000 bytes. */
const value = 'v'.repeat(439)
const LONG_MS = 60_000

test('a value lives until its last millisecond and no longer', () => {
  const clock = createStillClock()
  const values = createRecentValues({ clock, maxBytes: 10_000 })
  values.set('k', 'v', { ttlMs: 100 })
  clock.pass(99)
  expect(values.get('k')).toBe('v')
  clock.pass(1)
  expect(values.get('k')).toBeUndefined()
})

test('the least recently used value is dropped first, and a read counts as a use', () => {
  const values = createRecentValues({ clock: createStillClock(), maxBytes: 3_000 })
  for (const key of ['a', 'b', 'c']) values.set(key, value, { ttlMs: LONG_MS })
  values.get('a')
  values.set('d', value, { ttlMs: LONG_MS })
  expect(['a', 'b', 'c', 'd'].map((key) => values.get(key) !== undefined)).toEqual([true, false, true, true])
})

test('a value that alone is too large is not kept, and pushes nothing out', () => {
  const values = createRecentValues({ clock: createStillClock(), maxBytes: 3_000 })
  values.set('a', value, { ttlMs: LONG_MS })
  values.set('big', 'v'.repeat(5_000), { ttlMs: LONG_MS })
  expect(values.get('big')).toBeUndefined()
  expect(values.get('a')).toBe(value)
  values.set('b', value, { ttlMs: LONG_MS })
  expect(values.get('b')).toBe(value)
})

test('replaced, deleted and expired values give their room back', () => {
  const clock = createStillClock()
  const values = createRecentValues({ clock, maxBytes: 3_000 })
  for (let round = 0; round < 10; round += 1) values.set('s', value, { ttlMs: LONG_MS })
  values.set('a', value, { ttlMs: LONG_MS })
  values.set('b', value, { ttlMs: LONG_MS })
  expect(values.get('s')).toBe(value)
  values.delete('a')
  values.set('c', value, { ttlMs: 10 })
  clock.pass(10)
  expect(values.get('c')).toBeUndefined()
  values.set('d', value, { ttlMs: LONG_MS })
  expect(['s', 'b', 'd'].map((key) => values.get(key))).toEqual([value, value, value])
})

test('when all shares together are too large, the largest loses values', () => {
  const values = createRecentValues({ clock: createStillClock(), maxBytes: 5_000 })
  const lifeIn = (name: string) => ({ ttlMs: LONG_MS, share: { name, bytesMax: 4_000 } })
  values.set('a', value, lifeIn('small'))
  for (const key of ['b', 'c', 'd', 'e']) values.set(key, value, lifeIn('large'))
  values.set('f', value, lifeIn('small'))
  values.set('g', value, lifeIn('new'))
  const kept = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].filter((key) => values.get(key) !== undefined)
  expect(kept).toEqual(['a', 'd', 'e', 'f', 'g'])
})

test('any sequence of sets, deletes and pauses ends as in an unlimited map, as long as there is room', () => {
  const step = fc.record({
    act: fc.constantFrom('set', 'delete', 'pass'),
    key: fc.constantFrom('a', 'b', 'c'),
    ms: fc.integer({ min: 1, max: 50 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const clock = createStillClock()
      const values = createRecentValues({ clock, maxBytes: 100_000 })
      const model = new Map<string, { value: string; untilMs: number }>()
      for (const [index, { act, key, ms }] of steps.entries()) {
        if (act === 'pass') clock.pass(ms)
        if (act === 'delete') {
          values.delete(key)
          model.delete(key)
        }
        if (act === 'set') {
          values.set(key, String(index), { ttlMs: ms })
          model.set(key, { value: String(index), untilMs: clock.monotonicMs() + ms })
        }
        for (const name of ['a', 'b', 'c']) {
          const expected = model.get(name)
          const alive = expected !== undefined && expected.untilMs > clock.monotonicMs()
          expect(values.get(name)).toBe(alive ? expected.value : undefined)
        }
      }
    }),
  )
})
