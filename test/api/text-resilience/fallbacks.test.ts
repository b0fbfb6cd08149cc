import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'
import { BEGINNING, END, WHOLE } from './vendor-message.ts'

const PROVIDERS = `
providers:
  wrong: { driver: text, base_url: SANDBOX, api_key: bad-key, models: { m: messages } }
  moody: { driver: text, base_url: VENDOR, api_key: k, models: { m: messages, alone: messages, strict: messages, last: messages, cheap: messages, dear: messages, mixed: messages, asked: messages, served: messages, asked-low: messages, served-low: messages } }
  own: { driver: text, base_url: VENDOR, api_key: own, models: { cheap: messages, dear: messages, mixed: messages } }
  gone: { driver: text, base_url: 'http://127.0.0.1:1', api_key: k, models: { m: messages } }
  vendorC: { driver: text, base_url: SANDBOX, api_key: good, models: { model-4.1: chat } }
  vendorD: { driver: text, base_url: SANDBOX, api_keys: [bad-key, { key: good, weight: 2 }], models: { text-large: messages } }
`
const cost = (input: number, output: number) =>
  `prices: [{ unit: input_token, usd_per_million: ${input} }, { unit: output_token, usd_per_million: ${output} }]`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CATALOG = `
models:
  - { model_id: 30, name: wrong/m, endpoints: [messages, responses], max_output_tokens: 1000, fallbacks: [vendorC/model-4.1], ${PRICES} }
  - { model_id: 31, name: moody/m, fallbacks: [wrong/m, vendorD/text-large, vendorC/model-4.1], ${PRICES} }
  - { model_id: 32, name: moody/alone, fallbacks: [wrong/m], ${PRICES} }
  - { model_id: 33, name: moody/strict, fallbacks: [vendorC/model-4.1], ${PRICES} }
  - { model_id: 34, name: moody/last, fallbacks: [gone/m], ${PRICES} }
  - { model_id: 35, name: gone/m, ${PRICES} }
  - { model_id: 36, name: moody/cheap, fallbacks: [own/dear], ${cost(3, 15)} }
  - { model_id: 37, name: moody/dear, fallbacks: [own/cheap], ${cost(30, 150)} }
  - { model_id: 38, name: moody/mixed, fallbacks: [own/mixed], ${cost(30, 15)} }
  - { model_id: 39, name: moody/asked, fallbacks: [own/cheap], fallback_price: asked, ${cost(30, 150)} }
  - { model_id: 40, name: moody/served, fallbacks: [own/dear], fallback_price: served, ${cost(3, 15)} }
  - { model_id: 44, name: moody/asked-low, fallbacks: [own/dear], fallback_price: asked, ${cost(3, 15)} }
  - { model_id: 45, name: moody/served-low, fallbacks: [own/cheap], fallback_price: served, ${cost(30, 150)} }
  - { model_id: 41, name: own/cheap, ${cost(3, 15)} }
  - { model_id: 42, name: own/dear, ${cost(30, 150)} }
  - { model_id: 43, name: own/mixed, ${cost(3, 150)} }
`
const message = (model: string, more: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Say hello.' }],
  ...more,
})

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

describe('a model whose vendor refuses our key', () => {
  test('is served by its fallback, under the name that was asked for', async () => {
    const { status, body } = await gateway.call('/v1/messages', message('wrong/m'))
    expect({ status, reply: JSON.parse(body) }).toMatchObject({
      status: 200,
      reply: { type: 'message', model: 'wrong/m', stop_reason: 'end_turn', content: [{ type: 'text' }] },
    })
    expect(await gateway.usage(1)).toMatchObject([
      { model: 'vendorC/model-4.1', outcome: 'completed', cost_micros: 46 },
    ])
  })

  test('is served as a stream too', async () => {
    const { status, body } = await gateway.call('/v1/messages', message('wrong/m', { stream: true }))
    expect(status).toBe(200)
    expect(body).toContain('"model":"wrong/m"')
    expect(body).toMatch(/^event: message_start\n.*event: message_stop\n/s)
    expect(await gateway.usage(1)).toMatchObject([
      { model: 'vendorC/model-4.1', outcome: 'completed', cost_micros: 46 },
    ])
  })

  test('is served as a response too', async () => {
    const body = { model: 'wrong/m', input: 'Say hello.' }
    const answer = await gateway.call('/v1/responses', body)
    expect({ status: answer.status, reply: JSON.parse(answer.body) }).toMatchObject({
      status: 200,
      reply: { object: 'response', status: 'completed', model: 'wrong/m' },
    })
    expect(await gateway.usage(1)).toMatchObject([
      { model: 'vendorC/model-4.1', outcome: 'completed', cost_micros: 46 },
    ])
  })
})

describe('a vendor in trouble', () => {
  test.each<[string, TextGateway['answer']]>([
    ['answers 500', (_, response) => response.writeHead(500).end()],
    ['answers 429', (_, response) => response.writeHead(429, { 'retry-after': '7' }).end()],
    ['answers 529', (_, response) => response.writeHead(529).end()],
    ['does not know our model', (_, response) => response.writeHead(404).end()],
    ['hangs up', ({ socket }) => socket.destroy()],
    [
      'breaks off a whole reply',
      (_, response) => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
    ],
  ])('%s: the fallbacks are asked in their order', async (_, answer) => {
    gateway.answer = answer
    const askedBefore = gateway.asked
    const { status, body } = await gateway.call('/v1/messages', message('moody/m'))
    expect({ status, reply: JSON.parse(body) }).toMatchObject({ status: 200, reply: { model: 'moody/m' } })
    expect(gateway.asked).toBe(askedBefore + 1)
    // wrong/m refuses our key too; its own fallbacks are not asked.
    expect(await gateway.usage(1)).toMatchObject([
      { model: 'vendorD/text-large', outcome: 'completed', cost_micros: 84 },
    ])
  })

  test('ends a stream before its first event', async () => {
    gateway.answer = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end()
    const { status, body } = await gateway.call('/v1/messages', message('moody/m', { stream: true }))
    expect(status).toBe(200)
    expect(body).toContain('"model":"moody/m"')
    expect(body).toContain('event: message_stop')
    expect(await gateway.usage(1)).toMatchObject([
      { model: 'vendorD/text-large', outcome: 'completed', cost_micros: 84 },
    ])
  })

  test.each([
    ['breaks off', ''],
    [
      'reports an error',
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"No."}}\n\n',
    ],
  ])('%s a stream before its first content: a fallback serves without a trace', async (_, words) => {
    const start = `${BEGINNING.split('\n\n')[0]}\n\n`
    gateway.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`${start}event: ping\ndata: {"type":"ping"}\n\n${words}`, () => response.destroy())
    }
    const counted = 'sluice_fallbacks_total{asked="moody/m",served="vendorD/text-large"}'
    const before = await gateway.metric(counted)
    const { status, headers, body } = await gateway.call('/v1/messages', message('moody/m', { stream: true }))
    expect({ status, servedBy: headers.get('x-sluice-served-by') }).toEqual({
      ...{ status: 200, servedBy: 'vendorD/text-large' },
    })
    expect(body.match(/event: message_start/g)).toHaveLength(1)
    expect(body).toContain('event: message_stop')
    expect(body).not.toMatch(/msg_vendor|event: error/)
    expect(await gateway.usage(1)).toMatchObject([
      { asked_model: 'moody/m', model: 'vendorD/text-large', outcome: 'completed', cost_micros: 84 },
    ])
    expect((await gateway.metric(counted)) - before).toBe(1)
  })

  test('breaks off a stream that has begun: no fallback is asked', async () => {
    gateway.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(BEGINNING, () => response.destroy())
    }
    const { status, body } = await gateway.call('/v1/messages', message('moody/m', { stream: true }))
    expect(status).toBe(200)
    expect(body).toContain('Hel')
    expect(body).toContain('event: error\n')
    expect(body.match(/event: message_start/g)).toHaveLength(1)
    expect(body).not.toContain('event: message_stop')
    expect(await gateway.usage(1)).toMatchObject([{ model: 'moody/m', outcome: 'failed', cost_micros: 84 }])
  })

  test('whose fallback fails too: the client gets the error of the requested model', async () => {
    gateway.answer = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end()
    const { status, headers, body } = await gateway.call('/v1/messages', message('moody/alone'))
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '7' })
    expect(JSON.parse(body)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(await gateway.usage(1)).toMatchObject([
      { asked_model: 'moody/alone', model: 'wrong/m', outcome: 'failed', cost_micros: 0 },
    ])
  })
})

test('a refused request has a usage row, also for a model without a fallback', async () => {
  gateway.answer = (_, response) => response.writeHead(500).end()
  expect((await gateway.call('/v1/messages', message('moody/last'))).status).toBe(503)
  expect(await gateway.usage(1)).toMatchObject([{ model: 'moody/last', outcome: 'failed', cost_micros: 0 }])
})

test.each([400, 413, 422])(
  'a request that the vendor answers with %i goes to no fallback',
  async (status) => {
    gateway.answer = (_, response) => {
      const error = { type: 'invalid_request_error', message: 'max_tokens: too many for me' }
      response.writeHead(status).end(JSON.stringify({ type: 'error', error }))
    }
    const answer = await gateway.call('/v1/messages', message('moody/m'))
    expect(answer.status).toBe(status === 413 ? 413 : 400)
    expect(answer.body).toContain('too many for me')
    expect(await gateway.usage(1)).toMatchObject([{ model: 'moody/m', outcome: 'failed', cost_micros: 0 }])
  },
)

test('a fallback that cannot carry a strict request is skipped', async () => {
  gateway.answer = (_, response) => response.writeHead(500).end()
  const body = message('moody/strict', { top_k: 5 })
  const strict = await gateway.call('/v1/messages', body, { 'x-sluice-strict': 'true' })
  expect(strict.status).toBe(503)
  const relaxed = await gateway.call('/v1/messages', body)
  expect(relaxed.status).toBe(200)
  expect(relaxed.headers.get('x-sluice-losses')).toContain('top_k')
  expect(await gateway.usage(2)).toMatchObject([
    { model: 'moody/strict', cost_micros: 0 },
    { model: 'vendorC/model-4.1', cost_micros: 46 },
  ])
})

describe('a reply of a fallback', () => {
  /** The provider `moody` is in trouble, `own` serves 1,000 tokens in and 100 out. */
  const served: TextGateway['answer'] = (request, response) => {
    if (request.headers['x-api-key'] !== 'own') {
      response.writeHead(500).end()
      return
    }
    const counted = (text: string) =>
      text.replaceAll(/"usage":\{.*?\}/g, '"usage":{"input_tokens":1000,"output_tokens":100}')
    if (gateway.received.includes('"stream":true'))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(counted(BEGINNING + END))
    else response.end(counted(WHOLE))
  }

  test.each([
    ['a more expensive model', 'moody/cheap', 'own/dear', 4_500],
    ['a cheaper model', 'moody/dear', 'own/cheap', 4_500],
    ['a model with cheaper input and more expensive output', 'moody/mixed', 'own/mixed', 18_000],
    ['a cheaper model at the price of the requested model', 'moody/asked', 'own/cheap', 45_000],
    ['a more expensive model at the price of the requested model', 'moody/asked-low', 'own/dear', 4_500],
    ['a more expensive model at its own price', 'moody/served', 'own/dear', 45_000],
    ['a cheaper model at its own price', 'moody/served-low', 'own/cheap', 4_500],
  ])('costs the same whole and as a stream: %s', async (_, asked, model, costMicros) => {
    gateway.answer = served
    const stream = await gateway.call('/v1/messages', message(asked, { stream: true }))
    expect(stream.headers.get('x-sluice-served-by')).toBe(model)
    expect(await gateway.usage(1)).toMatchObject([
      { asked_model: asked, model, outcome: 'completed', cost_micros: costMicros },
    ])
    const before = await gateway.metric(`sluice_fallbacks_total{asked="${asked}",served="${model}"}`)
    const { status, headers } = await gateway.call('/v1/messages', message(asked))
    expect({ status, servedBy: headers.get('x-sluice-served-by') }).toEqual({ status: 200, servedBy: model })
    const [row] = await gateway.usage(1)
    expect(row).toMatchObject({ asked_model: asked, model, cost_micros: costMicros })
    const after = await gateway.metric(`sluice_fallbacks_total{asked="${asked}",served="${model}"}`)
    expect(after - before).toBe(1)
  })

  test('is reserved at the price of the fallback if that price is charged: ten concurrent requests lose at most the cost of one', async () => {
    const costMicros = 30_000 * 150 + 30
    const usage = JSON.stringify({ input_tokens: 1, output_tokens: 30_000 })
    gateway.answer = (request, response) => {
      if (request.headers['x-api-key'] !== 'own') response.writeHead(500).end()
      else response.end(WHOLE.replace(/"usage":\{.*?\}/, `"usage":${usage}`))
    }
    const authorization = `Bearer ${await gateway.otherKey()}`
    const body = message('moody/served', { max_tokens: 30_000 })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gateway.call('/v1/messages', body, { authorization })),
    )
    // The credit of 10,000,000 covers two requests; a third may start before the balance is known.
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBeLessThanOrEqual(3)
    const rows = await gateway.usage(served)
    const charged = rows.filter(({ outcome }) => outcome === 'completed').map((row) => row.cost_micros)
    expect(charged).toEqual(Array.from({ length: served }, () => costMicros))
  })

  test('keeps the measured counts and the price that applied', async () => {
    gateway.answer = served
    await gateway.call('/v1/messages', message('moody/cheap'))
    const [row] = await gateway.usage(1)
    expect(JSON.parse(String(row?.price_lines))).toEqual([
      { unit: 'input_token', quantity: 1_000, price_micros: 3_000_000 },
      { unit: 'output_token', quantity: 100, price_micros: 15_000_000 },
    ])
  })
})

describe('x-sluice-served-by', () => {
  test.each([true, false])('names the asked model where it served itself, stream: %s', async (stream) => {
    const { headers } = await gateway.call('/v1/messages', message('vendorD/text-large', { stream }))
    expect(headers.get('x-sluice-served-by')).toBe('vendorD/text-large')
    expect(await gateway.usage(1)).toMatchObject([
      { asked_model: 'vendorD/text-large', model: 'vendorD/text-large' },
    ])
  })

  test('is absent on errors', async () => {
    gateway.answer = (_, response) => response.writeHead(500).end()
    const { status, headers } = await gateway.call('/v1/messages', message('moody/last'))
    expect({ status, servedBy: headers.get('x-sluice-served-by') }).toEqual({ status: 503, servedBy: null })
  })
})
