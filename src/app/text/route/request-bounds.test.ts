import { type ChatVariant, USUAL_CHAT } from '@sluice/dialects/canonical/chat-variant'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import { expect, test } from 'vitest'
import { micros } from '../../../domain/billing/micros.ts'
import { textPricesOf } from '../../../domain/billing/text-prices.ts'
import type { PriceUnit } from '../../../domain/catalog/price-row.ts'
import { LightBody } from '../contract/light-body.ts'
import { reserveOf } from './request-bounds.ts'

function pricesOf(inputMicros: number, outputMicros: number) {
  const rowOf = (unit: PriceUnit, price: number) => ({
    ...{ unit, resolution: null, videoInput: null, audio: null },
    priceMicros: micros(price),
  })
  const rows = [rowOf('input_token', inputMicros), rowOf('output_token', outputMicros)]
  return textPricesOf(rows) ?? expect.fail('not priced')
}

/** Possible cost of a request of 1,000 tokens at 1 and 10 USD a million. */
function possibleOf(
  endpoint: TextEndpoint,
  value: Record<string, unknown>,
  others?: ReturnType<typeof pricesOf>,
  more: { operation?: 'compact'; maxOutputTokens?: number; chat?: ChatVariant } = {},
): number {
  const bound = { messages: 'max_tokens', responses: 'max_output_tokens', chat: 'max_tokens' }[endpoint]
  const inputCount = { tokens: 1_000, tokensMax: 1_000, refersOutside: false, isHidden: false }
  const route = {
    ...{
      name: 'a/b',
      maxOutputTokens: more.maxOutputTokens,
      contextTokens: 100_000,
      prices: pricesOf(1_000_000, 10_000_000),
    },
    provider: {
      ...{ name: 'a', hides: [], findModel: () => undefined, send: () => ({ stop() {} }) },
      chat: more.chat,
    },
    upstream: { dialect: endpoint, upstream: 'b', countsTokens: false, reasons: true },
  }
  const body = new LightBody(endpoint, Buffer.alloc(0), { [bound]: 100, ...value })
  const command = { endpoint, body, operation: more.operation } as Parameters<typeof reserveOf>[1]
  return reserveOf({ route, plan: { sentInputBound: () => inputCount } }, command, others).possibleMicros
}

/** Input at the price of long cache writes, and output. */
const TOKENS_MICROS = 2_000 + 1_000

test.each<['messages' | 'responses', string, object, number]>([
  ['responses', 'a container by its id', { type: 'code_interpreter', container: 'cntr_1' }, 64 * 50_000],
  ['responses', 'a new container', { type: 'code_interpreter', container: { type: 'auto' } }, 50_000],
  [
    'responses',
    'a large container',
    { type: 'code_interpreter', container: { memory_limit: '16g' } },
    16 * 50_000,
  ],
  [
    'responses',
    'a container of unknown size',
    { type: 'code_interpreter', container: { memory_limit: 'x' } },
    64 * 50_000,
  ],
  ['responses', 'a shell', { type: 'shell', environment: { memory_limit: '4g' } }, 4 * 50_000],
  ['responses', 'a shell by its id', { type: 'shell', environment: { container_id: 'cntr_1' } }, 64 * 50_000],
  ['responses', 'a bound of the other endpoint', { type: 'web_search', max_uses: 0 }, 16 * 25_000],
  ['messages', 'a bounded search', { type: 'web_search_20250305', max_uses: 2 }, 2 * 25_000],
])('%s: the reserve covers %s', (endpoint, _name, tool, callMicros) => {
  expect(possibleOf(endpoint, { tools: [tool] })).toBe(TOKENS_MICROS + callMicros)
})

test('a bound of calls counts on the endpoint that knows it', () => {
  const tools = [{ type: 'web_search' }]
  expect(possibleOf('responses', { tools, max_tool_calls: 1 })).toBe(TOKENS_MICROS + 25_000)
  expect(possibleOf('messages', { tools, max_tool_calls: 1 })).toBe(TOKENS_MICROS + 16 * 25_000)
})

test('nothing is set aside for a shell of the client', () => {
  const tools = [{ type: 'shell' }, { type: 'shell', environment: { type: 'local' } }]
  expect(possibleOf('responses', { tools })).toBe(TOKENS_MICROS)
})

test('money is set aside for a container of each tool that runs code', () => {
  const tools = [
    { type: 'code_interpreter', container: { memory_limit: '4g' } },
    { type: 'shell', environment: {} },
  ]
  expect(possibleOf('responses', { tools })).toBe(TOKENS_MICROS + 2 * 4 * 50_000)
})

test('another model that takes part costs its own price', () => {
  expect(possibleOf('messages', {}, pricesOf(5_000_000, 50_000_000))).toBe(TOKENS_MICROS + 15_000)
})

test('the reserve covers each reply of a chat request: 100 tokens at 10 USD a million are 1,000 micros', () => {
  expect(possibleOf('chat', {})).toBe(TOKENS_MICROS)
  expect(possibleOf('chat', { n: 3 })).toBe(TOKENS_MICROS + 2 * 1_000)
  expect(possibleOf('chat', { max_completion_tokens: 300 })).toBe(TOKENS_MICROS + 2 * 1_000)
})

test('a bound of chat that the vendor does not know does not count', () => {
  const older = { chat: { ...USUAL_CHAT, outputBound: 'max_tokens' } } as const
  expect(possibleOf('chat', { max_completion_tokens: 300 }, undefined, older)).toBe(TOKENS_MICROS)
  const unbounded = possibleOf('chat', { max_tokens: null, max_completion_tokens: 1 }, undefined, older)
  expect(unbounded).toBe(2_000 + 1_000_000)
})

test('a compaction is bounded by its model alone: 64,000 tokens at 10 USD a million are 640,000 micros', () => {
  const bounds = { operation: 'compact', maxOutputTokens: 64_000 } as const
  expect(possibleOf('responses', {}, undefined, bounds)).toBe(2_000 + 640_000)
})
