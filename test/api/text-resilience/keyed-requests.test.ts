import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../text/socket-client.ts'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

/** 100 tokens in and 20 out, at 3 and 15 USD per million. */
const COST_MICROS = 600
const VECTORS_COST_MICROS = 300
const BACKGROUND_MAX = 32

let gateway: TextGateway
beforeAll(async () => {
  const prices =
    'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
  gateway = await startTextGateway({
    providers: `providers:
  v: { driver: text, base_url: VENDOR, api_key: k, models: { chat: chat, embed: chat } }
`,
    catalog: `models:
  - { model_id: 101, name: v/chat, max_output_tokens: 64000, endpoints: [responses], ${prices} }
  - { model_id: 102, name: v/embed, endpoints: [embeddings], ${prices} }
`,
  })
})
afterAll(() => gateway.close())

const ASKED = { model: 'v/chat', input: 'hi', max_output_tokens: 100, background: true, store: true }
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'chat' }
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const STREAM = [
  { ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }] },
  { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE },
]
const STREAMED = `${STREAM.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`

/** The vendor answers once the returned function is called. */
function answerLater(type: string, body: string): () => void {
  const gate = Promise.withResolvers<void>()
  gateway.answer = async (_request, response) => {
    await gate.promise
    response.writeHead(200, { 'content-type': type }).end(body)
  }
  return gate.resolve
}

test('a background reply that is refused because no slot is free leaves its Idempotency-Key free', async () => {
  const answerNow = answerLater('text/event-stream', STREAMED)
  const ask = (key: number) => gateway.call('/v1/responses', ASKED, { 'idempotency-key': `slot ${key}` })
  for (let key = 0; key < BACKGROUND_MAX; key += 1) expect((await ask(key)).status).toBe(200)
  expect((await ask(BACKGROUND_MAX)).status).toBe(429)
  answerNow()
  await gateway.usage(BACKGROUND_MAX)
  await expect.poll(async () => (await ask(BACKGROUND_MAX)).status).toBe(200)
  expect(await gateway.usage(1)).toMatchObject([{ outcome: 'completed', cost_micros: COST_MICROS }])
})

test('a warm-up in the background is answered, and holds no slot', async () => {
  const client = await openSocket(gateway, gateway)
  const warm = { ...ASKED, type: 'response.create', generate: false }
  for (let turn = 0; turn <= BACKGROUND_MAX; turn += 1)
    expect((await client.turn(warm)).at(-1)).toMatchObject({ type: 'response.completed' })
  client.ws.close()
  await client.closed
})

const vector = Array.from({ length: 1_536 }, () => 0.123456789)
/** Large enough to be passed on while it arrives. */
const VECTORS = JSON.stringify({
  object: 'list',
  data: Array.from({ length: 400 }, (_, index) => ({ object: 'embedding', index, embedding: vector })),
  model: 'embed',
  usage: { prompt_tokens: 100, total_tokens: 100 },
})

test('a large reply is read to its end although its client, who sent a key, left before it began', async () => {
  const answerNow = answerLater('application/json', VECTORS)
  const asked = gateway.asked
  const leaving = new AbortController()
  const answer = fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'large',
    },
    body: JSON.stringify({ model: 'v/embed', input: 'hi' }),
    signal: leaving.signal,
  })
  await expect.poll(() => gateway.asked).toBe(asked + 1)
  leaving.abort()
  await expect(answer).rejects.toThrow()
  answerNow()
  expect(await gateway.usage(1)).toMatchObject([{ model: 'v/embed', cost_micros: VECTORS_COST_MICROS }])
  expect(await gateway.busy('v')).toBe(0)
})

test('a large reply that has begun ends with its client, and is charged as the vendor counted', async () => {
  const rest = Promise.withResolvers<void>()
  gateway.answer = async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(VECTORS.slice(0, -100))
    await rest.promise
    response.end(VECTORS.slice(-100))
  }
  const leaving = new AbortController()
  const answer = await fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'large, begun',
    },
    body: JSON.stringify({ model: 'v/embed', input: 'hi' }),
    signal: leaving.signal,
  })
  expect(answer.status).toBe(200)
  leaving.abort()
  rest.resolve()
  expect(await gateway.usage(1)).toMatchObject([{ model: 'v/embed', cost_micros: VECTORS_COST_MICROS }])
  expect(await gateway.busy('v')).toBe(0)
})
