import { expect, test } from 'vitest'
import { readUsage } from './read-usage.ts'

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
    'a total that is none',
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
  ['counts that are none', { prompt_tokens: -1, completion_tokens: '5' }, undefined],
  ['nothing', {}, undefined],
  ['null', null, undefined],
])('%s', (_what, usage, tokens) => {
  expect(readUsage(usage)).toEqual(tokens && { ...NONE, ...tokens })
})
