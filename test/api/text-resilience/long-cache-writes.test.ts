import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  own: { driver: text, base_url: VENDOR, api_key: k, models: { m: messages } }
`
const CATALOG = `
models:
  - model_id: 30
    name: own/m
    endpoints: [messages, responses]
    prices: [{ unit: input_token, usd_per_million: 3 }, { unit: cached_input_token, usd_per_million: 0.3 },
      { unit: cache_write_token, usd_per_million: 3.75 }, { unit: long_cache_write_token, usd_per_million: 6 },
      { unit: output_token, usd_per_million: 15 }]
`

let gateway: TextGateway
beforeAll(async () => {
  // The vendors of these tests report no usage after the client has left, so waiting for it is no use.
  const environment = { HANG_UP_LISTEN_MS: '0' }
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG, environment })
})
afterAll(() => gateway.close())

const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
  ...{ stop_sequence: null, content: [{ type: 'text', text: 'Hello.' }] },
}
const UNDATED = { input_tokens: 10, cache_creation_input_tokens: 9_000, output_tokens: 10 }
const SEEN = {
  ...{ input_tokens: 10, cache_creation_input_tokens: 1_000, output_tokens: 1 },
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_000 },
}

const frames = (...events: ({ type: string } & Record<string, unknown>)[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const beginning = (usage: object) =>
  frames(
    { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
  )

const end = (usage: object) =>
  frames(
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  )

/** A whole reply, or a stream that counts all its writes at the end. */
function answer(start: object): void {
  gateway.answer = (_request, response) => {
    if (JSON.parse(gateway.received).stream !== true) {
      response.end(JSON.stringify({ ...MESSAGE, usage: UNDATED }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(beginning(start) + end({ cache_creation_input_tokens: 9_000, output_tokens: 10 }))
  }
}

const ask = (ttl: string, text: string, more: object = {}) => ({
  ...{ model: 'own/m', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello.' }] },
  system: [{ type: 'text', text, cache_control: { type: 'ephemeral', ttl } }],
  ...more,
})

/** Such a body is read on another thread, and only its facts come back. */
const HEAVY = 'lorem ipsum '.repeat((600 * 1024) / 12)

describe.each([
  ['light', 'Be kind.'],
  ['heavy', HEAVY],
])('a %s request', (_weight, text) => {
  test.each([
    ['an hour', '1h', false, 54_180],
    ['an hour, as a stream', '1h', true, 54_180],
    ['five minutes', '5m', false, 33_930],
    ['five minutes, as a stream', '5m', true, 33_930],
  ])(
    'with a lifetime of %s decides the price where the vendor reports only a total',
    async (_what, ttl, stream, costMicros) => {
      answer({ input_tokens: 10, cache_creation_input_tokens: 0, output_tokens: 1 })
      expect((await gateway.call('/v1/messages', ask(ttl, text, { stream }))).status).toBe(200)
      expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: costMicros }])
    },
  )
})

test.each([
  ['1h', 30 + 9_000 * 6 + 30],
  ['5m', 30 + 9_000 * 3.75 + 30],
])(
  'a client that hangs up pays for cache writes with the lifetime that it asked for: %s',
  async (ttl, costMicros) => {
    gateway.answer = (_request, response) => {
      const usage = { ...UNDATED, output_tokens: 1 }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(beginning(usage))
    }
    await gateway.hangUp('/v1/messages', ask(ttl, 'Be kind.', { stream: true }), 'Hello.')
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'hung-up', cost_micros: costMicros }])
  },
)

test.each([
  ['kept', { stream: true }],
  ['made in the background', { background: true }],
  ['made in the background, as a stream', { background: true, stream: true }],
])('a reply that is %s pays for writes that grow', async (_how, more) => {
  answer(SEEN)
  const body = { model: 'own/m', input: 'Say hello.', store: true, ...more }
  expect((await gateway.call('/v1/responses', body)).status).toBe(200)
  expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: 54_180 }])
})

test('a reply reports the cost of its usage row', async () => {
  answer(SEEN)
  const asked = ask('5m', 'Be kind.', { stream: true })
  const { body } = await gateway.call('/v1/messages', asked, { 'x-sluice-cost': 'true' })
  expect(body).toContain(': cost_usd=0.054180')
  expect(await gateway.usage(1)).toMatchObject([{ cost_micros: 54_180 }])
})
