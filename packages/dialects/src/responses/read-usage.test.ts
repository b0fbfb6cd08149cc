import { expect, test } from 'vitest'
import { readCounts, readTokens } from './read-usage.ts'

const NOTHING = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

test.each<[string, unknown, object]>([
  [
    'parts, which are taken out of the input',
    { input_tokens: 10, input_tokens_details: { cached_tokens: 6, cache_write_tokens: 3 }, output_tokens: 2 },
    { input: 1, cachedInput: 6, cacheWrite: 3, output: 2 },
  ],
  [
    'more from the cache than went in',
    { input_tokens: 10, input_tokens_details: { cached_tokens: 1_000 } },
    { input: 0, cachedInput: 10, cacheWrite: 0 },
  ],
  [
    'more into the cache than went in',
    { input_tokens: 10, input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1_000 } },
    { input: 0, cachedInput: 4, cacheWrite: 6 },
  ],
  ['nothing', {}, NOTHING],
  ['no numbers', { input_tokens: '10', output_tokens: -1, input_tokens_details: null }, NOTHING],
])('a count with %s', (_, usage, tokens) => {
  expect(readCounts(usage)).toMatchObject(tokens)
})

test.each([null, undefined, 'usage', []])('%j is not a count', (usage) => {
  expect(readCounts(usage)).toBeUndefined()
})

test.each<[string, object, object | undefined]>([
  ['two kinds of searches', { web_search_calls: 2, x_search_calls: 3 }, { web_search_call: 5 }],
  ['only searches of posts', { web_search_calls: 0, x_search_calls: 3 }, { web_search_call: 3 }],
  ['no searches', { web_search_calls: 0, x_search_calls: 0, mcp_calls: 2 }, undefined],
  ['other tools alone', { mcp_calls: 2 }, { web_search_call: 1 }],
])('a vendor that counts %s in the usage', (_, server_side_tool_usage_details, calls) => {
  const output = [{ type: 'web_search_call' }, { type: 'custom_tool_call', name: 'x_keyword_search' }]
  const usage = { input_tokens: 10, output_tokens: 2, server_side_tool_usage_details }
  expect(readTokens({ output, usage })?.surcharges?.calls).toEqual(calls)
})
