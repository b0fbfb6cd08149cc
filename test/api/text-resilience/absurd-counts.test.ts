import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStream } from '../../system/faults/text-stream.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `providers:
  vendor:
    driver: text
    base_url: VENDOR
    api_key: k
    models: { messages: messages, responses: responses, chat: chat }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 1 }, { unit: output_token, usd_per_million: 10 }]'
const row = `endpoints: [messages, responses, chat], max_output_tokens: 64000, context_tokens: 128000, ${PRICES}`
const CATALOG = `models:
  - { model_id: 901, name: vendor/messages, ${row} }
  - { model_id: 902, name: vendor/responses, ${row} }
  - { model_id: 903, name: vendor/chat, ${row} }
`

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({
    providers: PROVIDERS,
    catalog: CATALOG,
    environment: { HANG_UP_LISTEN_MS: '50' },
  })
})
afterAll(() => gateway.close())

type Dialect = 'messages' | 'responses' | 'chat'
interface Counts {
  input: number
  output: number
}

const PATHS = { messages: '/v1/messages', responses: '/v1/responses', chat: '/v1/chat/completions' } as const

const ASKS: Record<Dialect, object> = {
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'Say hello to me.' }] },
  responses: { max_output_tokens: 100, input: 'Say hello to me.' },
  chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Say hello to me.' }] },
}

const USAGES: Record<Dialect, (counts: Counts) => object> = {
  messages: ({ input, output }) => ({ input_tokens: input, output_tokens: output }),
  responses: ({ input, output }) => ({
    ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
  }),
  chat: ({ input, output }) => ({
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }),
}

const WHOLES: Record<Dialect, (usage: object, text?: string) => object> = {
  messages: (usage, text = 'Hello.') => ({
    ...{ id: 'm', type: 'message', role: 'assistant', model: 'x', stop_reason: 'end_turn', usage },
    content: [{ type: 'text', text }],
  }),
  responses: (usage, text = 'Hello.') => ({
    ...{ id: 'r', object: 'response', created_at: 1, model: 'x', status: 'completed', usage },
    output: [
      {
        ...{ type: 'message', id: 'i', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
  }),
  chat: (usage, text = 'Hello.') => ({
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'x', usage },
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  }),
}

type Event = Record<string, unknown>

const STREAMS: Record<Dialect, (usage: object) => Event[]> = {
  messages: (usage) => [
    {
      type: 'message_start',
      message: { ...WHOLES.messages({ input_tokens: 5, output_tokens: 1 }), content: [], stop_reason: null },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ],
  responses: (usage) => {
    const place = { item_id: 'i', output_index: 0, content_index: 0 }
    const item = { type: 'message', id: 'i', role: 'assistant', status: 'in_progress', content: [] }
    const response = WHOLES.responses(usage)
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_text.delta', ...place, delta: 'Hello.' },
      { type: 'response.completed', response },
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
  },
  chat: (usage) => [
    { id: 'c', model: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' } }] },
    { id: 'c', model: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { id: 'c', model: 'x', choices: [], usage },
  ],
}

/** Tokens of input and micro-USD that are charged for 2,000,000,000 tokens of input and as many of output. */
const CASES: readonly [vendor: Dialect, client: Dialect, isStream: boolean, input: number, micros: number][] =
  [
    ['messages', 'messages', true, 14_464, 26_704],
    ['messages', 'messages', false, 14_408, 26_648],
    ['responses', 'responses', true, 14_372, 26_612],
    ['responses', 'responses', false, 14_316, 26_556],
    ['chat', 'chat', true, 14_652, 26_892],
    ['chat', 'chat', false, 14_436, 26_676],
    ['chat', 'messages', true, 14_624, 26_864],
    ['chat', 'messages', false, 14_408, 26_648],
    ['messages', 'responses', true, 14_536, 26_776],
    ['messages', 'responses', false, 14_540, 26_780],
  ]

function answerWith(dialect: Dialect, counts: Counts): void {
  gateway.answer = (_, response) => {
    const usage = USAGES[dialect](counts)
    if (!gateway.received.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(WHOLES[dialect](usage)))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of STREAMS[dialect](usage))
      response.write(
        `${dialect === 'chat' ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`,
      )
    response.end(dialect === 'chat' ? 'data: [DONE]\n\n' : '')
  }
}

function bodyOf(client: Dialect, vendor: Dialect, isStream: boolean): object {
  const streamed = isStream ? { stream: true } : {}
  const options = isStream && client === 'chat' ? { stream_options: { include_usage: true } } : {}
  return { model: `vendor/${vendor}`, ...ASKS[client], ...streamed, ...options }
}

test.each(CASES)(
  'an absurd count of %s to %s, stream: %s, is cut to %i tokens: %i micros',
  async (vendor, client, isStream, input, costMicros) => {
    answerWith(vendor, { input: 2_000_000_000, output: 2_000_000_000 })
    const answer = await gateway.call(PATHS[client], bodyOf(client, vendor, isStream))
    expect(answer.status).toBe(200)
    if (!isStream) expect(answer.headers.get('x-sluice-cost-usd')).toBe((costMicros / 1_000_000).toFixed(6))
    const [used] = await gateway.usage(1)
    expect(used).toMatchObject({ input_tokens: input, output_tokens: 1_224, cost_micros: costMicros })
    expect(used?.vendor_usage).toContain('2000000000')
  },
)

test.each(CASES)(
  'an honest count of %s to %s, stream: %s, is charged as it is: 11,000 micros',
  async (vendor, client, isStream) => {
    answerWith(vendor, { input: 9_000, output: 200 })
    expect((await gateway.call(PATHS[client], bodyOf(client, vendor, isStream))).status).toBe(200)
    const [used] = await gateway.usage(1)
    expect(used).toMatchObject({ input_tokens: 9_000, output_tokens: 200, cost_micros: 11_000 })
  },
)

test.each(['messages', 'responses', 'chat'] as const)(
  'a whole reply of %s that is longer than the request allows is charged as it came: 200,020 micros',
  async (dialect) => {
    const usage = USAGES[dialect]({ input: 20, output: 20_000 })
    gateway.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(WHOLES[dialect](usage, 'word '.repeat(20_000))))
    }
    const answer = await gateway.call(PATHS[dialect], bodyOf(dialect, dialect, false))
    expect(answer.headers.get('x-sluice-cost-usd')).toBe('0.200020')
    const [used] = await gateway.usage(1)
    expect(used).toMatchObject({ output_tokens: 20_000, cost_micros: 200_020 })
  },
)

test.each(CASES)(
  'a vendor of %s that never answers a client of %s, stream: %s, costs the input: 11 micros',
  async (vendor, client, isStream) => {
    const asked = Promise.withResolvers<void>()
    gateway.answer = () => asked.resolve()
    const body = bodyOf(client, vendor, isStream)
    const stream = openStream(`${gateway.url}${PATHS[client]}`, { key: gateway.key, body })
    await asked.promise
    stream.hangUp()
    const [used] = await gateway.usage(1)
    expect(used).toMatchObject({ outcome: 'hung-up', input_tokens: 11, output_tokens: 0, cost_micros: 11 })
  },
)
