import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const CONNECTIONS = 4
const PROVIDERS = `
providers:
  vendor: { driver: text, base_url: VENDOR, api_key: k, models: { native: messages, other: responses } }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CATALOG = `
models:
  - { model_id: 30, name: vendor/native, endpoints: [messages], ${PRICES} }
  - { model_id: 31, name: vendor/other, endpoints: [messages], ${PRICES} }
`
/** More than a socket takes in one write, so the client lags at the moment when the vendor is done. */
const WORDS = 'x'.repeat(200_000)

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({
    providers: PROVIDERS,
    catalog: CATALOG,
    environment: { UPSTREAM_CONNECTIONS: String(CONNECTIONS) },
  })
})
afterAll(() => gateway.close())

test.each([
  ['vendor/native', messagesStream, 150],
  ['vendor/other', responsesStream, 750_027],
])(
  'streams of %s that end with a very large event leave every slot free',
  async (model, stream, costMicros) => {
    gateway.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream())
    }
    const body = { model, max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Say hello.' }] }
    const calls = Array.from({ length: 2 * CONNECTIONS }, () => gateway.call('/v1/messages', body))
    for (const answer of await Promise.all(calls)) {
      expect(answer.status).toBe(200)
      expect(answer.body).toContain(WORDS)
      expect(answer.body).toMatch(/event: message_stop\ndata: .*\n\n$/)
    }
    await expect.poll(() => gateway.busy('vendor')).toBe(0)
    const rows = await gateway.usage(2 * CONNECTIONS)
    expect(rows).toHaveLength(2 * CONNECTIONS)
    for (const row of rows)
      expect(row).toMatchObject({ model, outcome: 'completed', cost_micros: costMicros })
  },
)

interface Event {
  type: string
  [member: string]: unknown
}

function frames(events: readonly Event[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

function messagesStream(): string {
  const usage = { input_tokens: 5, output_tokens: 9 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage }
  return frames([
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ])
}

/** Returns a stream whose whole text comes with its last event. */
function responsesStream(): string {
  const content = [{ type: 'output_text', text: WORDS, annotations: [] }]
  const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]
  const response = { id: 'resp_1', object: 'response', status: 'completed', output, usage: null }
  return frames([
    { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
    { type: 'response.completed', response },
  ])
}
