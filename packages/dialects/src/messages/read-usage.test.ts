import { expect, test } from 'vitest'
import { UsageSoFar } from './read-usage.ts'

function countOf(...usages: object[]) {
  const count = new UsageSoFar()
  for (const [at, usage] of usages.entries()) count.add(usage, { isFinal: at > 0 || usages.length === 1 })
  return count
}

const parts = (short: number, long: number) => ({
  cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
})
const START = { input_tokens: 15, cache_read_input_tokens: 900, output_tokens: 1 }

test.each<[what: string, last: object, tokens: object]>([
  [
    'zeros for all of it',
    { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 40 },
    { input: 15, cachedInput: 900 },
  ],
  ['a zero for a part of it', { input_tokens: 0, output_tokens: 40 }, { input: 15, cachedInput: 900 }],
  [
    'a zero beside a count',
    { input_tokens: 0, cache_read_input_tokens: 900, output_tokens: 40 },
    { input: 0, cachedInput: 900 },
  ],
  ['a smaller count', { input_tokens: 12, output_tokens: 40 }, { input: 12, cachedInput: 900 }],
  [
    'zeros beside a part of a write',
    { input_tokens: 0, cache_creation_input_tokens: 0, ...parts(7, 0), output_tokens: 40 },
    { input: 0, cacheWrite: 7 },
  ],
  ['no counts of it', { output_tokens: 40 }, { input: 15, cachedInput: 900 }],
  ['values that are not counts', { input_tokens: -1, output_tokens: 40 }, { input: 15, cachedInput: 900 }],
])('a counted input, then %s', (_what, last, tokens) => {
  expect(countOf(START, last).atEnd).toMatchObject({ ...tokens, output: 40 })
})

test('the usage object has the charged counts', () => {
  const { vendorUsage } = countOf(START, { input_tokens: 0, output_tokens: 40, service_tier: 'standard' })
  expect(vendorUsage).toEqual({ ...START, output_tokens: 40, service_tier: 'standard' })
})

test('an output count of zero replaces an early count, but not a final one', () => {
  expect(countOf(START, { output_tokens: 40 }, { output_tokens: 0 }).atEnd?.output).toBe(40)
  expect(countOf(START, { output_tokens: 0 }).atEnd?.output).toBe(0)
})

test.each<[what: string, usages: object[], cacheWrite: number, surcharges: object | undefined]>([
  ['no parts', [{ cache_creation_input_tokens: 9 }], 9, undefined],
  ['parts of zero', [{ cache_creation_input_tokens: 9, ...parts(0, 0) }], 9, undefined],
  ['short parts', [{ cache_creation_input_tokens: 9, ...parts(9, 0) }], 9, { shortCacheWrite: 9 }],
  [
    'both parts',
    [{ cache_creation_input_tokens: 9, ...parts(4, 5) }],
    9,
    { shortCacheWrite: 4, longCacheWrite: 5 },
  ],
  ['parts without a total', [parts(0, 5)], 5, { longCacheWrite: 5 }],
  [
    'long writes that grow',
    [{ cache_creation_input_tokens: 9, ...parts(4, 5) }, { cache_creation_input_tokens: 20 }],
    20,
    { shortCacheWrite: 4, longCacheWrite: 16 },
  ],
  [
    'long writes that shrink',
    [{ cache_creation_input_tokens: 9, ...parts(4, 5) }, { cache_creation_input_tokens: 6 }],
    6,
    { shortCacheWrite: 4, longCacheWrite: 2 },
  ],
  [
    'short writes that grow',
    [{ cache_creation_input_tokens: 9, ...parts(9, 0) }, { cache_creation_input_tokens: 20 }],
    20,
    { shortCacheWrite: 9 },
  ],
  [
    'parts that come late',
    [{ cache_creation_input_tokens: 0 }, { cache_creation_input_tokens: 9, ...parts(0, 9) }],
    9,
    { longCacheWrite: 9 },
  ],
])('writes with %s', (_what, usages, cacheWrite, surcharges) => {
  const [first, ...later] = usages
  const tokens = countOf({ input_tokens: 1, output_tokens: 1, ...first }, ...later).soFar
  expect(tokens?.cacheWrite).toBe(cacheWrite)
  expect(tokens?.surcharges).toEqual(surcharges)
})

test('the start has all that is known about the cost', () => {
  const count = new UsageSoFar()
  count.add({ ...START, cache_creation_input_tokens: 5, ...parts(0, 5), speed: 'fast' }, { isFinal: false })
  expect(count.atStart).toEqual({
    ...{ input: 15, cachedInput: 900, cacheWrite: 5, output: 1 },
    surcharges: { longCacheWrite: 5, speed: 'fast' },
  })
})

test('the lifetimes of cache writes in one iteration apply to the others', () => {
  const iterations = [
    { type: 'compaction', cache_creation_input_tokens: 100, ...parts(0, 100) },
    { type: 'message', cache_creation_input_tokens: 50 },
  ]
  const { atEnd } = countOf({ input_tokens: 1, output_tokens: 1, iterations })
  expect(atEnd).toMatchObject({ cacheWrite: 150, surcharges: { longCacheWrite: 150 } })
})

test('without counts of a fallback the outer counts are used: no reply is free', () => {
  const iterations = [{ type: 'fallback_message', model: 'small', input_tokens: 0, output_tokens: 0 }]
  const { atEnd } = countOf({ input_tokens: 1_000, output_tokens: 100, iterations })
  expect(atEnd).toMatchObject({ input: 1_000, output: 100 })
  expect(atEnd?.surcharges?.others).toBeUndefined()
})
