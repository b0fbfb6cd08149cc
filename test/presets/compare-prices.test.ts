import { expect, test } from 'vitest'
import { ACCEPTED } from './accepted-differences.ts'
import { compareCatalog, comparePrices } from './compare-prices.ts'

test('prices of presets differ from the public list only if that was reviewed', () => {
  expect(comparePrices().toSorted()).toEqual([...ACCEPTED.keys()].toSorted())
  for (const reason of ACCEPTED.values()) expect(reason).toMatch(/\.$/)
})

test('an outdated price, a model that the list does not have and a wrong factor are found', () => {
  const source = `
models:
  - model_id: 1
    name: openai/gpt-5-nano
    endpoints: [chat]
    context_tokens: 400000
    prices: [{ unit: input_token, usd_per_million: 0.05 }, { unit: output_token, usd_per_million: 0.3 }]
  - model_id: 2
    name: openai/gpt-none
    endpoints: [chat]
    prices: []
`
  expect(compareCatalog(source, 'openai', '2026-09-23')).toEqual([
    'openai/gpt-5-nano cached_input_token: none here, 0.005 there',
    'openai/gpt-5-nano output_token: 0.3 here, 0.4 there',
    'openai/gpt-5-nano web_search_call: none here, 0.01 there',
    'openai/gpt-5-nano file_search_call: none here, 0.0025 there',
    'openai/gpt-5-nano long_context_input: 2 here, 1 there',
    'openai/gpt-5-nano long_context_output: 2 here, 1 there',
    'openai/gpt-none: the list does not have it',
  ])
})
