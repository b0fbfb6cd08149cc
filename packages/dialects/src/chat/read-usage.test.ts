import { expect, test } from 'vitest'
import { ChatCount, readUsage } from './read-usage.ts'

const NONE = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

test.each<[what: string, usage: unknown, tokens: object | undefined]>([
  ['plain counts', { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 }, { input: 10, output: 4 }],
  [
    'cached input, counted apart',
    { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 64 } },
    { input: 36, cachedInput: 64, output: 1 },
  ],
  [
    'cached input by another name',
    { prompt_tokens: 100, completion_tokens: 1, prompt_cache_hit_tokens: 60 },
    { input: 40, cachedInput: 60, output: 1 },
  ],
  [
    'what was written to the cache',
    {
      prompt_tokens: 100,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 30 },
    },
    { input: 50, cachedInput: 20, cacheWrite: 30, output: 1 },
  ],
  [
    'more cached than there is',
    {
      prompt_tokens: 10,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 5 },
    },
    { cachedInput: 10, output: 1 },
  ],
  [
    'reasoning within the output',
    {
      prompt_tokens: 10,
      completion_tokens: 50,
      total_tokens: 60,
      completion_tokens_details: { reasoning_tokens: 40 },
    },
    { input: 10, output: 50, reasoning: 40 },
  ],
  [
    'reasoning beside the output',
    {
      prompt_tokens: 10,
      completion_tokens: 50,
      total_tokens: 100,
      completion_tokens_details: { reasoning_tokens: 40 },
    },
    { input: 10, output: 90, reasoning: 40 },
  ],
  [
    'more reasoning than output',
    { prompt_tokens: 1, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 40 } },
    { input: 1, output: 5, reasoning: 5 },
  ],
  [
    'cached input at the top',
    { prompt_tokens: 100, completion_tokens: 1, cached_tokens: 80 },
    { input: 20, cachedInput: 80, output: 1 },
  ],
  [
    'cached input by two names, the larger counts',
    {
      prompt_tokens: 100,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 0 },
      prompt_cache_hit_tokens: 80,
    },
    { input: 20, cachedInput: 80, output: 1 },
  ],
  [
    'a total that is larger, without a reason',
    { prompt_tokens: 100, completion_tokens: 20, total_tokens: 620 },
    { input: 100, output: 20 },
  ],
  [
    'a total that is not a count',
    { prompt_tokens: 100, completion_tokens: 20, total_tokens: 620.5 },
    { input: 100, output: 20 },
  ],
  [
    'a total that is smaller',
    { prompt_tokens: 100, completion_tokens: 20, total_tokens: 3 },
    { input: 100, output: 20 },
  ],
  [
    'a total that is larger, and a count of reasoning',
    {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 620,
      completion_tokens_details: { reasoning_tokens: 5 },
    },
    { input: 100, output: 20, reasoning: 5 },
  ],
  ['a total without the output', { prompt_tokens: 100, total_tokens: 120 }, { input: 100 }],
  ['only input', { prompt_tokens: 3 }, { input: 3 }],
  [
    'details that are null',
    { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: null, completion_tokens_details: null },
    { input: 3, output: 2 },
  ],
  [
    'writes by the name of a relay',
    {
      prompt_tokens: 100,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 20, cache_creation_tokens: 30 },
    },
    { input: 50, cachedInput: 20, cacheWrite: 30, output: 1 },
  ],
  [
    'writes at the top',
    { prompt_tokens: 100, completion_tokens: 1, cache_creation_input_tokens: 30 },
    { input: 70, cacheWrite: 30, output: 1 },
  ],
  [
    'more writes than the prompt',
    { prompt_tokens: 31, completion_tokens: 1, cache_creation_input_tokens: 1_253 },
    { input: 31, cacheWrite: 1_253, output: 1 },
  ],
  [
    'more writes than are left of the prompt',
    {
      prompt_tokens: 60,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 50, cache_write_tokens: 20 },
    },
    { input: 10, cachedInput: 50, cacheWrite: 20, output: 1 },
  ],
  [
    'reads and writes beside the prompt, as the total shows',
    {
      ...{ prompt_tokens: 100, completion_tokens: 1, total_tokens: 151 },
      ...{ cache_read_input_tokens: 20, cache_creation_input_tokens: 30 },
    },
    { input: 100, cachedInput: 20, cacheWrite: 30, output: 1 },
  ],
  [
    'more reads than the prompt, by the name of a dialect that counts them apart',
    { prompt_tokens: 10, completion_tokens: 1, cache_read_input_tokens: 64, cache_creation_input_tokens: 5 },
    { input: 10, cachedInput: 64, cacheWrite: 5, output: 1 },
  ],
  [
    'writes of both lengths, by the names of a relay',
    {
      ...{ prompt_tokens: 100, completion_tokens: 1, cache_creation_input_tokens: 30 },
      ...{ claude_cache_creation_5_m_tokens: 10, claude_cache_creation_1_h_tokens: 20 },
    },
    {
      ...{ input: 70, cacheWrite: 30, output: 1 },
      surcharges: { longCacheWrite: 20, shortCacheWrite: 10 },
    },
  ],
  ['values that are not counts', { prompt_tokens: -1, completion_tokens: '5' }, undefined],
  ['nothing', {}, undefined],
  ['null', null, undefined],
])('%s', (_what, usage, tokens) => {
  expect(readUsage(usage)).toEqual(tokens && { ...NONE, ...tokens })
})

test('a vendor that reports no usage may report its tier', () => {
  const count = new ChatCount({ hasMany: false })
  expect(count.add({ choices: [], service_tier: 'priority' })).toBe(false)
  expect(count.tokens).toBeUndefined()
  expect(count.atEnd).toEqual({ ...NONE, surcharges: { tier: 'priority' } })
})

test('a tier that comes after the count belongs to it', () => {
  const count = new ChatCount({ hasMany: false })
  count.add({ usage: { prompt_tokens: 3, completion_tokens: 2 } })
  count.add({ service_tier: 'flex' })
  expect(count.atEnd).toEqual({ ...NONE, input: 3, output: 2, surcharges: { tier: 'flex' } })
})

test('writes that a later chunk does not repeat keep their length', () => {
  const count = new ChatCount({ hasMany: false })
  const usage = { prompt_tokens: 9, completion_tokens: 0, cache_creation_input_tokens: 9 }
  count.add({ usage: { ...usage, cache_creation: { ephemeral_1h_input_tokens: 9 } } })
  count.add({ usage: { prompt_tokens: 0, completion_tokens: 4 } })
  expect(count.atEnd).toEqual({ ...NONE, cacheWrite: 9, output: 4, surcharges: { longCacheWrite: 9 } })
})

test('a count within a choice is read only where there is one choice', () => {
  const chunk = { choices: [{ index: 0, usage: { prompt_tokens: 3, completion_tokens: 2 } }] }
  const countIn = (hasMany: boolean) => {
    const count = new ChatCount({ hasMany })
    count.add(chunk)
    return count.atEnd
  }
  expect(countIn(false)).toEqual({ ...NONE, input: 3, output: 2 })
  expect(countIn(true)).toBeUndefined()
})
