import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  own: { driver: text, base_url: VENDOR, api_key: k, models: { r: responses, c: chat } }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CATALOG = `
models:
  - { model_id: 31, name: own/r, endpoints: [responses], ${PRICES} }
  - { model_id: 32, name: own/c, endpoints: [responses], ${PRICES} }
`

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

/** Plain, these tokens cost 3,000 + 1,500 = 4,500 micro-USD. */
const tokens = { input_tokens: 1_000, output_tokens: 100 }

function frames(...events: ({ type: string } & Record<string, unknown>)[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

const RESPONSES: [string, object, number][] = [
  ['the default tier', { service_tier: 'default' }, 4_500],
  ['the priority tier', { service_tier: 'priority' }, 11_250],
  ['a faster tier without a price', { service_tier: 'ultrafast' }, 27_000],
  [
    'searches, without pages that were only opened',
    {
      output: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } },
        { type: 'web_search_call', id: 'ws_2', status: 'completed', action: { type: 'open_page', url: 'b' } },
        { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: [] },
      ],
    },
    4_500 + 25_000 + 2_500,
  ],
  ['searches that the vendor counted', { tool_usage: { web_search: { num_requests: 3 } } }, 79_500],
  [
    'one container for two calls',
    {
      tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }],
      output: [
        { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: '1' },
        { type: 'code_interpreter_call', id: 'ci_2', container_id: 'cntr_1', code: '2' },
      ],
    },
    4_500 + 4 * 50_000,
  ],
  ['a picture', { output: [{ type: 'image_generation_call', id: 'ig_1', result: 'AAAA' }] }, 504_500],
  ['a hosted tool without a price', { output: [{ type: 'dream_call', id: 'dr_1' }] }, 504_500],
  [
    'what the client runs itself',
    { output: [{ type: 'local_shell_call', id: 'ls_1', call_id: 'c', action: {} }] },
    4_500,
  ],
  [
    'long cache writes',
    {
      usage: {
        ...{ input_tokens: 1_000, output_tokens: 100 },
        input_tokens_details: {
          cached_tokens: 0,
          cache_write_tokens: 1_000,
          cache_write_tokens_details: { ttl_30m_tokens: 400, ttl_12h_tokens: 600 },
        },
      },
    },
    400 * 3 + 600 * 6 + 1_500,
  ],
]

function reply(more: object) {
  return {
    ...{
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'r',
      output: [],
      error: null,
    },
    ...{ usage: { ...tokens, total_tokens: 1_100 } },
    ...more,
  }
}

describe('a responses vendor that served', () => {
  test.each(RESPONSES)('%s: whole', async (_, more, costMicros) => {
    gateway.answer = (_request, response) => response.end(JSON.stringify(reply(more)))
    expect((await gateway.call('/v1/responses', { model: 'own/r', input: 'Hi.' })).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: costMicros }])
  })

  test.each(RESPONSES)('%s: as a stream', async (_, more, costMicros) => {
    gateway.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const begun = { ...reply({}), status: 'in_progress', usage: null }
      response.end(
        frames(
          { type: 'response.created', sequence_number: 0, response: begun },
          { type: 'response.completed', sequence_number: 1, response: reply(more) },
        ),
      )
    }
    const body = { model: 'own/r', input: 'Hi.', stream: true }
    expect((await gateway.call('/v1/responses', body)).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: costMicros }])
  })
})

describe('a client of a responses vendor that hangs up before the usage came', () => {
  const begun = { ...reply({}), status: 'in_progress', usage: null }
  const called = (type: string, id: string) => ({
    ...{ type: `response.${type}.completed`, sequence_number: 1, output_index: 0, item_id: id },
  })
  const head = frames(
    { type: 'response.created', sequence_number: 0, response: begun },
    called('web_search_call', 'ws_1'),
    called('web_search_call', 'ws_2'),
    called('code_interpreter_call', 'ci_1'),
    called('mcp_call', 'mcp_1'),
    { type: 'response.output_text.delta', sequence_number: 5, item_id: 'msg_1', delta: 'Hello, all of you' },
  )

  test.each<[string, object, number, number]>([
    ['for the tools that were used', {}, 2 * 25_000 + 50_000, 1],
    ['in the tier that it asked for', { service_tier: 'priority' }, 2 * 25_000 + 50_000, 2.5],
  ])('pays %s', async (_, wish, callMicros, factor) => {
    gateway.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(head)
    }
    const body = { model: 'own/r', input: 'Say hello.', stream: true, ...wish }
    await gateway.hangUp('/v1/responses', body, 'all of you')
    const [row] = await gateway.usage(1)
    const plainMicros = 3 * Number(row?.input_tokens) + 15 * Number(row?.output_tokens)
    expect(Number(row?.input_tokens)).toBeGreaterThan(0)
    expect(row).toMatchObject({
      ...{ outcome: 'hung-up', output_tokens: 5 },
      cost_micros: callMicros + Math.round(plainMicros * factor),
    })
  })
})

const CHUNKS: [string, object, object, number][] = [
  ['the default tier', { service_tier: 'default' }, {}, 4_500],
  ['the priority tier', { service_tier: 'priority' }, {}, 11_250],
  ['searches', {}, { server_tool_use: { web_search_requests: 1 } }, 29_500],
  ['searches of another name', {}, { num_search_queries: 2 }, 54_500],
]

describe('a chat vendor that served', () => {
  test.each(CHUNKS)('%s', async (_, more, used, costMicros) => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100, ...used }
    const choice = { index: 0, finish_reason: 'stop' }
    gateway.answer = (_request, response) =>
      response.end(
        JSON.stringify({
          ...{ id: 'c', object: 'chat.completion', created: 1, model: 'c', usage, ...more },
          choices: [{ ...choice, message: { role: 'assistant', content: 'Hello.' } }],
        }),
      )
    expect((await gateway.call('/v1/responses', { model: 'own/c', input: 'Hi.' })).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: costMicros }])

    gateway.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'c', ...more }
      const said = { ...chunk, choices: [{ ...choice, delta: { content: 'Hello.' } }] }
      const counted = { ...chunk, choices: [], usage }
      response.end(`data: ${JSON.stringify(said)}\n\ndata: ${JSON.stringify(counted)}\n\ndata: [DONE]\n\n`)
    }
    const body = { model: 'own/c', input: 'Hi.', stream: true }
    expect((await gateway.call('/v1/responses', body)).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: costMicros }])
  })
})
