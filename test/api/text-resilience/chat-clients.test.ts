import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  moody: { driver: text, base_url: VENDOR, api_key: k, models: { m: chat, other: chat } }
  own: { driver: text, base_url: VENDOR, api_key: own, models: { chat: chat, messages: messages } }
`
const prices = (input: number, output: number) =>
  `prices: [{ unit: input_token, usd_per_million: ${input} }, { unit: output_token, usd_per_million: ${output} }]`
const CATALOG = `
models:
  - { model_id: 50, name: moody/m, fallbacks: [own/chat], ${prices(3, 15)} }
  - { model_id: 51, name: moody/other, fallbacks: [own/messages], ${prices(3, 15)} }
  - { model_id: 52, name: own/chat, ${prices(30, 150)} }
  - { model_id: 53, name: own/messages, max_output_tokens: 1000, ${prices(1, 5)} }
`

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

const PATH = '/v1/chat/completions'
const completion = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Say hello.' }],
  ...more,
})
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({
    ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'x' },
    choices: [{ index: 0, delta, finish_reason: null }],
    ...more,
  })}\n\n`
const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }]
const WHOLE = { id: 'c', object: 'chat.completion', created: 1, model: 'x', choices, usage }
const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'x', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Hello.' }],
  usage: { input_tokens: 1_000, output_tokens: 100 },
}

/** The provider `moody` is in trouble, `own` serves 1,000 tokens in and 100 out. */
const served: TextGateway['answer'] = ({ headers, url = '' }, response) => {
  const isOwn = headers.authorization === 'Bearer own' || headers['x-api-key'] === 'own'
  if (!isOwn) response.writeHead(500).end()
  else response.end(JSON.stringify(url.endsWith('/messages') ? MESSAGE : WHOLE))
}

test.each([
  ['moody/m', 'own/chat', 4_500],
  ['moody/other', 'own/messages', 1_500],
])('200 a completion of %s that %s served costs %i micros', async (asked, model, costMicros) => {
  gateway.answer = served
  const { status, headers, body } = await gateway.call(PATH, completion(asked))
  expect({ status, reply: JSON.parse(body) }).toMatchObject({
    status: 200,
    reply: { object: 'chat.completion', model: asked, choices: [{ message: { content: 'Hello.' } }] },
  })
  expect(headers.get('x-sluice-served-by')).toBe(model)
  expect(headers.get('x-sluice-cost-usd')).toBe(`0.00${costMicros}`)
  expect(await gateway.usage(1)).toMatchObject([{ asked_model: asked, model, cost_micros: costMicros }])
})

test.each([400, 422])('%i of the vendor is 400 with its words, and goes to no fallback', async (status) => {
  const error = {
    message: 'messages: too odd for me',
    type: 'invalid_request_error',
    param: null,
    code: null,
  }
  gateway.answer = (_, response) => response.writeHead(status).end(JSON.stringify({ error }))
  const answer = await gateway.call(PATH, completion('moody/m'))
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toMatchObject({ error: { message: expect.stringContaining('too odd') } })
  expect(await gateway.usage(1)).toMatchObject([{ model: 'moody/m', outcome: 'failed', cost_micros: 0 }])
})

test('503 when the vendor answers 401: the client never gets this 401', async () => {
  gateway.answer = (_, response) => response.writeHead(401).end()
  expect((await gateway.call(PATH, completion('own/chat'))).status).toBe(503)
  await gateway.usage(1)
})

test('200 a stream that breaks off ends with an error and without [DONE]', async () => {
  gateway.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ role: 'assistant', content: 'Hel' }), () => response.destroy())
  }
  const { status, body } = await gateway.call(PATH, completion('moody/m', { stream: true }))
  expect(status).toBe(200)
  expect(body).toContain('Hel')
  expect(body).toMatch(/data: \{"error":\{.*\n\n$/)
  expect(body).not.toContain('[DONE]')
  expect(await gateway.usage(1)).toMatchObject([{ model: 'moody/m', outcome: 'failed' }])
})

test('499 a client that hangs up ends the call of its vendor, and pays once for what passed', async () => {
  const closed = Promise.withResolvers<void>()
  gateway.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ role: 'assistant', content: 'Hello, hello.' }))
    response.on('close', closed.resolve)
  }
  await gateway.hangUp(PATH, completion('own/chat', { stream: true }), 'Hello, hello.')
  await closed.promise
  const [row] = await gateway.usage(1)
  expect(row).toMatchObject({ model: 'own/chat', outcome: 'hung-up' })
  expect(Number(row?.cost_micros)).toBe(Number(row?.input_tokens) * 30 + Number(row?.output_tokens) * 150)
  expect(Number(row?.output_tokens)).toBeGreaterThan(0)
})
