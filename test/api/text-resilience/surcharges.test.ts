import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  own:
    driver: text
    base_url: VENDOR
    api_key: k
    models: { m: messages, priced: messages, small: { dialect: messages, upstream: small-1 } }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }'
const CATALOG = `
models:
  - { model_id: 30, name: own/m, ${PRICES}] }
  - model_id: 33
    name: own/priced
    long_context_tokens: 1000
    ${PRICES}, { unit: priority_tier, times: 1.75 }, { unit: web_search_call, usd: 0.01 },
      { unit: long_cache_write_token, usd_per_million: 7 }, { unit: long_context_input, times: 1.1 },
      { unit: long_context_output, times: 1 }, { unit: flex_tier, times: 0.5 }]
  - { model_id: 34, name: own/small, prices: [{ unit: input_token, usd_per_million: 1 }, { unit: output_token, usd_per_million: 5 }] }
`

let gateway: TextGateway
beforeAll(async () => {
  // The vendors of these tests report no usage after the client has left, so waiting for it is no use.
  const environment = { HANG_UP_LISTEN_MS: '0' }
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG, environment })
})
afterAll(() => gateway.close())

const tokens = { input_tokens: 1_000, output_tokens: 100 }

/** Usages and their costs; without a surcharge, `tokens` cost 3,000 + 1,500 = 4,500 micro-USD. */
const USAGES: [string, object, number][] = [
  ['the standard tier', { ...tokens, service_tier: 'standard', speed: 'standard' }, 4_500],
  ['the priority tier', { ...tokens, service_tier: 'priority' }, 11_250],
  ['fast mode', { ...tokens, speed: 'fast' }, 27_000],
  ['a tier without a price', { ...tokens, service_tier: 'warp' }, 27_000],
  ['a chosen region', { ...tokens, inference_geo: 'us' }, 4_950],
  ['any region', { ...tokens, inference_geo: 'global' }, 4_500],
  [
    'cache writes for an hour',
    {
      ...tokens,
      cache_creation_input_tokens: 1_000,
      cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 600 },
    },
    4_500 + 400 * 3 + 600 * 6,
  ],
  [
    'cache writes for some other time',
    {
      ...tokens,
      cache_creation_input_tokens: 1_000,
      cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_24h_input_tokens: 600 },
    },
    4_500 + 400 * 3 + 600 * 6,
  ],
  [
    'a long context',
    { input_tokens: 150_000, cache_read_input_tokens: 60_000, output_tokens: 100 },
    1_262_250,
  ],
  ['web searches', { ...tokens, server_tool_use: { web_search_requests: 2, web_fetch_requests: 3 } }, 54_500],
  ['a hosted tool without a price', { ...tokens, server_tool_use: { dream_requests: 1 } }, 504_500],
  [
    'compaction',
    {
      input_tokens: 10_500,
      output_tokens: 850,
      iterations: [
        { type: 'compaction', input_tokens: 53_000, output_tokens: 2_000 },
        { type: 'message', input_tokens: 10_500, output_tokens: 850 },
      ],
    },
    233_250,
  ],
  [
    'turns of a server-side loop, counted once',
    {
      input_tokens: 2_000,
      output_tokens: 200,
      iterations: [
        { type: 'message', ...tokens },
        { type: 'message', ...tokens },
      ],
    },
    9_000,
  ],
  [
    'an advisor that the catalog knows',
    {
      ...tokens,
      iterations: [
        { type: 'message', ...tokens },
        { type: 'advisor_message', model: 'small-1', ...tokens },
      ],
    },
    4_500 + 1_500,
  ],
  [
    'an advisor that it does not know',
    {
      ...tokens,
      iterations: [
        { type: 'message', ...tokens },
        { type: 'advisor_message', model: 'huge-9', ...tokens },
      ],
    },
    9_000,
  ],
]

function message(usage: object) {
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    ...{ stop_sequence: null, content: [{ type: 'text', text: 'Hello.' }], usage },
  }
}

function frames(...events: ({ type: string } & Record<string, unknown>)[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

const ask = (model: string, more: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Say hello.' }],
  ...more,
})

/** A count of many tokens is believed only where the request is long. */
const LONG = { messages: [{ role: 'user', content: 'Say hello. '.repeat(5_000) }] }

describe('a messages vendor that served', () => {
  test.each(USAGES)('%s: whole', async (what, usage, costMicros) => {
    gateway.answer = (_request, response) => response.end(JSON.stringify(message(usage)))
    const body = ask('own/m', what === 'a long context' ? LONG : {})
    expect((await gateway.call('/v1/messages', body)).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: costMicros }])
  })

  test.each(USAGES)('%s: as a stream', async (what, usage, costMicros) => {
    gateway.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        frames(
          { type: 'message_start', message: { ...message(usage), content: [], stop_reason: null } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
          { type: 'message_stop' },
        ),
      )
    }
    const body = ask('own/m', { stream: true, ...(what === 'a long context' ? LONG : {}) })
    expect((await gateway.call('/v1/messages', body)).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: costMicros }])
  })

  test.each<[string, object, number]>([
    ['its tier', { ...tokens, input_tokens: 900, service_tier: 'priority' }, (2_700 + 1_500) * 1.75],
    ['its discount', { ...tokens, input_tokens: 900, service_tier: 'flex' }, (2_700 + 1_500) * 0.5],
    ['its searches', { ...tokens, input_tokens: 900, server_tool_use: { web_search_requests: 2 } }, 24_200],
    [
      'its cache writes',
      {
        ...{ input_tokens: 100, output_tokens: 100, cache_creation_input_tokens: 100 },
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 100 },
      },
      300 + 1_500 + 700,
    ],
    ['its long context', { input_tokens: 2_000, output_tokens: 100 }, 6_600 + 1_500],
  ])('charges %s as the catalog says', async (_, usage, costMicros) => {
    gateway.answer = (_request, response) => response.end(JSON.stringify(message(usage)))
    expect((await gateway.call('/v1/messages', ask('own/priced'))).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ cost_micros: costMicros }])
  })
})

describe('a client that hangs up before the usage came', () => {
  const head = frames(
    { type: 'message_start', message: { ...message({ ...tokens, output_tokens: 1 }), content: [] } },
    ...['web_search', 'web_search', 'web_fetch'].flatMap((name, index) => [
      { type: 'content_block_start', index, content_block: { type: 'server_tool_use', name, input: {} } },
      { type: 'content_block_stop', index },
    ]),
    { type: 'content_block_start', index: 3, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'Hello, all of you' } },
  )

  test.each<[string, object, number]>([
    ['for the searches that were made', {}, 50_000 + 3_000 + 3 * 24_000 + 75],
    ['at the speed that it asked for', { speed: 'fast' }, 50_000 + 6 * (3_000 + 3 * 24_000 + 75)],
  ])('pays %s', async (_, wish, costMicros) => {
    gateway.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(head)
    }
    await gateway.hangUp('/v1/messages', ask('own/m', { stream: true, ...wish }), 'all of you')
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'hung-up', cost_micros: costMicros }])
  })
})
