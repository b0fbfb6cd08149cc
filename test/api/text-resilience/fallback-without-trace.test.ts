import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../text/socket-client.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  broken: { driver: text, base_url: VENDOR, api_key: k, models: { messages: messages, responses: responses, chat: chat } }
  good: { driver: text, base_url: SANDBOX, api_key: good, models: { text-large: messages } }
`
const row = (id: number, name: string, more: string) =>
  `  - { model_id: ${id}, name: ${name}, endpoints: [messages, responses, chat], max_output_tokens: 1000, ${more}` +
  ' prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }] }\n'
const CATALOG = `models:\n${['messages', 'responses', 'chat']
  .map((dialect, at) => row(60 + at, `broken/${dialect}`, 'fallbacks: [good/text-large],'))
  .join('')}${row(63, 'good/text-large', '')}`

const turns = [{ role: 'user', content: 'Say hello.' }]
const PATHS = {
  messages: { path: '/v1/messages', body: { max_tokens: 100, messages: turns } },
  responses: { path: '/v1/responses', body: { input: 'Say hello.', store: false } },
  chat: { path: '/v1/chat/completions', body: { messages: turns } },
} as const
type Endpoint = keyof typeof PATHS

/** Events of each vendor before its first content; all of them contain `trace`. */
const FIRST_EVENTS: Record<Endpoint, string> = {
  messages: `event: message_start\ndata: ${JSON.stringify({
    type: 'message_start',
    message: {
      ...{ id: 'msg_trace', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null },
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  })}\n\n`,
  responses: `event: response.created\ndata: ${JSON.stringify({
    ...{ type: 'response.created', sequence_number: 0 },
    response: { id: 'resp_trace', object: 'response', status: 'in_progress', model: 'x', output: [] },
  })}\n\n`,
  chat: `data: ${JSON.stringify({
    ...{ id: 'chatcmpl-trace', object: 'chat.completion.chunk', created: 1, model: 'x' },
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
  })}\n\n`,
}

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

const SERVED = 'good/text-large'
const COST_MICROS = 84
const counted = (asked: string) => `sluice_fallbacks_total{asked="${asked}",served="${SERVED}"}`

/** The vendor breaks off: a stream after its first event, a whole reply in its middle. */
function breakOff(endpoint: Endpoint, stream: boolean): void {
  const words = stream ? FIRST_EVENTS[endpoint] : '{"id":"trace","object":'
  const type = stream ? 'text/event-stream' : 'application/json'
  gateway.answer = (_, response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(words, () => response.destroy())
  }
}

test.each(
  (['messages', 'responses', 'chat'] as const).flatMap((endpoint) =>
    [true, false].map((stream) => [endpoint, stream] as const),
  ),
)('200 %s, stream: %s: a fallback serves without a trace and costs 84 micros', async (endpoint, stream) => {
  breakOff(endpoint, stream)
  const model = `broken/${endpoint}`
  const before = await gateway.metric(counted(model))
  const { path, body } = PATHS[endpoint]
  const answer = await gateway.call(path, { model, ...body, ...(stream && { stream }) })
  expect(answer.status, answer.body).toBe(200)
  expect(answer.headers.get('x-sluice-served-by')).toBe(SERVED)
  expect(answer.body).not.toMatch(/trace|text-large|"error":\{/)
  expect(answer.body).toContain(`"model":"${model}"`)
  expect(await gateway.usage(1)).toMatchObject([
    { asked_model: model, model: SERVED, outcome: 'completed', cost_micros: COST_MICROS },
  ])
  expect((await gateway.metric(counted(model))) - before).toBe(1)
})

test('200 over a WebSocket: a fallback serves without a trace and costs 84 micros', async () => {
  breakOff('responses', true)
  const model = 'broken/responses'
  const before = await gateway.metric(counted(model))
  const client = await openSocket(gateway, { key: gateway.key })
  try {
    client.send({ model, input: 'Say hello.' })
    const events: Record<string, unknown>[] = []
    while (events.at(-1)?.type !== 'response.completed' && events.length < 100)
      events.push(await client.next())
    expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1)
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at))
    expect(JSON.stringify(events)).not.toMatch(/trace|text-large|"type":"error"/)
  } finally {
    client.ws.terminate()
  }
  expect(await gateway.usage(1)).toMatchObject([
    { asked_model: model, model: SERVED, outcome: 'completed', cost_micros: COST_MICROS },
  ])
  expect((await gateway.metric(counted(model))) - before).toBe(1)
})
