import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'
import { BEGINNING, END, WHOLE } from './vendor-message.ts'

const provider = (name: string, ...models: string[]) =>
  `  ${name}: { driver: text, base_url: VENDOR, api_key: ${name}, models: { ${models.map((model) => `${model}: messages`).join(', ')} } }`
const PROVIDERS = `
providers:
${provider('east', 'm', 'price', 'embed', 'strict')}
${provider('west', 'm', 'price', 'breaker', 'rest', 'embed')}
${provider('broken', 'breaker', 'well')}
${provider('busy', 'm')}
${provider('unpaid', 'm')}
${provider('spare', 'm')}
  down: { driver: text, base_url: 'http://127.0.0.1:1', api_key: down, models: { embed: messages } }
  other: { driver: text, base_url: SANDBOX, api_key: good, models: { model-4.1: chat } }
`
const cost = (input: number, output: number) =>
  `prices: [{ unit: input_token, usd_per_million: ${input} }, { unit: output_token, usd_per_million: ${output} }]`
const hidden = (id: number, name: string, more = '') =>
  `  - { model_id: ${id}, name: ${name}, endpoints: []${more} }`
const CATALOG = `
models:
${hidden(60, 'east/m')}
${hidden(61, 'west/m')}
${hidden(62, 'broken/breaker')}
${hidden(73, 'broken/well')}
${hidden(74, 'busy/m')}
${hidden(63, 'west/breaker')}
${hidden(64, 'unpaid/m')}
${hidden(65, 'west/rest')}
${hidden(66, 'east/embed')}
${hidden(67, 'west/embed')}
${hidden(75, 'down/embed')}
  - { model_id: 68, name: east/price, ${cost(5, 5)} }
  - { model_id: 69, name: west/price, ${cost(1, 1)} }
  - { model_id: 70, name: spare/m, ${cost(1, 2)} }
${hidden(71, 'east/strict')}
  - { model_id: 72, name: other/model-4.1, ${cost(1, 1)} }
  - { model_id: 80, name: pool/even, route: [east/m, west/m], ${cost(100, 1000)} }
  - { model_id: 81, name: pool/east, route: [east/m, { model: west/m, weight: 0 }], fallbacks: [spare/m], ${cost(100, 1000)} }
  - { model_id: 82, name: pool/price, route: [east/price, west/price], route_by: price, ${cost(100, 1000)} }
  - { model_id: 83, name: pool/breaker, route: [broken/breaker, { model: west/breaker, weight: 0 }], ${cost(100, 1000)} }
  - { model_id: 84, name: pool/rest, route: [unpaid/m, { model: west/rest, weight: 0 }], ${cost(100, 1000)} }
  - { model_id: 85, name: pool/embed, endpoints: [embeddings], route: [{ model: east/embed }, { model: west/embed, weight: 0 }], prices: [{ unit: input_token, usd_per_million: 100 }] }
  - { model_id: 92, name: pool/half, endpoints: [embeddings], route: [{ model: east/embed }, { model: down/embed, weight: 0 }], prices: [{ unit: input_token, usd_per_million: 100 }] }
  - { model_id: 86, name: pool/strict, route: [other/model-4.1, { model: east/strict, weight: 0 }], ${cost(100, 1000)} }
  - { model_id: 87, name: pool/busy, route: [busy/m, { model: west/m, weight: 0 }], ${cost(100, 1000)} }
  - { model_id: 91, name: pool/well, route: [broken/well, { model: west/m, weight: 0 }], ${cost(100, 1000)} }
  - { model_id: 88, name: outer/m, route: [east/m], fallbacks: [pool/price], ${cost(100, 1000)} }
  - { model_id: 89, name: gone/pool, route: [gone/m], ${cost(100, 1000)} }
  - { model_id: 90, name: gone/m, endpoints: [] }
`

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
afterAll(() => gateway.close())

const message = (model: string, more: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Say hello.' }],
  ...more,
})
const keyOf = ({ headers }: IncomingMessage) => String(headers['x-api-key'])

/** Fails the providers with these keys with this status; all others serve 3 tokens in and 5 out. */
function failing(keys: readonly string[], status = 500): TextGateway['answer'] {
  return (request, response) => {
    if (keys.includes(keyOf(request))) response.writeHead(status, { 'retry-after': '1' }).end()
    else if (gateway.received.includes('"stream":true'))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(BEGINNING + END)
    else response.end(WHOLE)
  }
}

/** 3 tokens in and 5 out at the price of the pool. */
const POOL_MICROS = 3 * 100 + 5 * 1_000

describe('200: a model with a route', () => {
  test.each([true, false])('is served by a target at its own price, stream: %s', async (stream) => {
    gateway.answer = failing([])
    const counted = 'sluice_routed_total{asked="pool/east",served="east/m"}'
    const before = await gateway.metric(counted)
    const { status, headers, body } = await gateway.call('/v1/messages', message('pool/east', { stream }))
    expect({ status, servedBy: headers.get('x-sluice-served-by') }).toEqual({
      status: 200,
      servedBy: 'east/m',
    })
    expect(body).toContain('"model":"pool/east"')
    expect(body).not.toContain('east/m')
    expect(await gateway.usage(1)).toMatchObject([
      {
        ...{ asked_model: 'pool/east', model: 'east/m', price_model: 'pool/east', provider: 'east' },
        ...{ outcome: 'completed', cost_micros: POOL_MICROS },
      },
    ])
    expect((await gateway.metric(counted)) - before).toBe(1)
    expect(await gateway.metric('sluice_fallbacks_total{asked="pool/east",served="east/m"}')).toBe(0)
  })

  test.each([
    [500, 'pool/east', 'east'],
    [404, 'pool/east', 'east'],
    [429, 'pool/busy', 'busy'],
    [401, 'pool/rest', 'unpaid'],
  ])(
    'goes to the next target when the first one answers %i, at the same price',
    async (status, model, key) => {
      gateway.answer = failing([key], status)
      const before = gateway.asked
      const { headers } = await gateway.call('/v1/messages', message(model))
      const served = model === 'pool/rest' ? 'west/rest' : 'west/m'
      expect(headers.get('x-sluice-served-by')).toBe(served)
      expect(gateway.asked - before).toBe(2)
      expect(await gateway.usage(1)).toMatchObject([
        { asked_model: model, model: served, provider: 'west', cost_micros: POOL_MICROS },
      ])
      // The refused or limited key rests now, so the first target is not called.
      if (status !== 429 && status !== 401) return
      await gateway.call('/v1/messages', message(model))
      expect(gateway.asked - before).toBe(3)
      expect(await gateway.usage(1)).toMatchObject([{ model: served }])
    },
  )

  test('goes to its fallbacks when every target fails, at the lower price', async () => {
    gateway.answer = failing(['east', 'west'])
    const { headers } = await gateway.call('/v1/messages', message('pool/east'))
    expect(headers.get('x-sluice-served-by')).toBe('spare/m')
    expect(await gateway.usage(1)).toMatchObject([
      { asked_model: 'pool/east', model: 'spare/m', price_model: 'spare/m', cost_micros: 13 },
    ])
  })

  test('may be a fallback itself: its targets are asked in turn', async () => {
    gateway.answer = (request, response) =>
      keyOf(request) === 'east' ? response.writeHead(500).end() : response.end(WHOLE)
    const { headers } = await gateway.call('/v1/messages', message('outer/m'))
    expect(headers.get('x-sluice-served-by')).toBe('west/price')
    expect(await gateway.usage(1)).toMatchObject([
      { asked_model: 'outer/m', model: 'west/price', cost_micros: POOL_MICROS },
    ])
  })

  test('goes to the cheapest target with route_by: price, and then to the next', async () => {
    gateway.answer = failing([])
    const cheapest = await gateway.call('/v1/messages', message('pool/price'))
    gateway.answer = failing(['west'])
    const next = await gateway.call('/v1/messages', message('pool/price'))
    expect([cheapest, next].map(({ headers }) => headers.get('x-sluice-served-by'))).toEqual([
      'west/price',
      'east/price',
    ])
    expect((await gateway.usage(2)).map((row) => row.cost_micros)).toEqual([POOL_MICROS, POOL_MICROS])
  })

  test('passes over a target that cannot take the request', async () => {
    gateway.answer = failing([])
    const strict = { 'x-sluice-strict': 'true' }
    const { headers } = await gateway.call('/v1/messages', message('pool/strict', { top_k: 5 }), strict)
    expect(headers.get('x-sluice-served-by')).toBe('east/strict')
    await gateway.usage(1)
  })

  test('counts tokens, though its own name has no provider', async () => {
    const { status, body } = await gateway.call('/v1/messages/count_tokens', message('pool/east'))
    expect({ status, counted: JSON.parse(body) }).toMatchObject({
      status: 200,
      counted: { input_tokens: expect.any(Number) },
    })
  })

  test('makes embeddings; while one target fails the next is asked', async () => {
    gateway.answer = (request, response) => {
      if (keyOf(request) === 'east' || request.headers.authorization === 'Bearer east')
        response.writeHead(500).end()
      else {
        const data = [{ object: 'embedding', index: 0, embedding: [0.1] }]
        response.end(
          JSON.stringify({ object: 'list', data, model: 'x', usage: { prompt_tokens: 7, total_tokens: 7 } }),
        )
      }
    }
    const { status, headers, body } = await gateway.call('/v1/embeddings', {
      model: 'pool/embed',
      input: 'words',
    })
    expect({ status, servedBy: headers.get('x-sluice-served-by') }).toEqual({
      status: 200,
      servedBy: 'west/embed',
    })
    expect(JSON.parse(body)).toMatchObject({ model: 'pool/embed' })
    expect(await gateway.usage(1)).toMatchObject([
      { asked_model: 'pool/embed', model: 'west/embed', outcome: 'completed', cost_micros: 700 },
    ])
  })
})

test('503: embeddings whose first target failed and whose second was not reached leave the row of the first, 0 micros', async () => {
  gateway.answer = (_, response) => response.writeHead(500).end()
  const { status } = await gateway.call('/v1/embeddings', { model: 'pool/half', input: 'words' })
  expect(status).toBe(503)
  expect(await gateway.usage(1)).toMatchObject([
    { asked_model: 'pool/half', model: 'east/embed', outcome: 'failed', status: 503, cost_micros: 0 },
  ])
})

test('200: a target with an open breaker is skipped, for its model and organization only', async () => {
  gateway.answer = failing(['broken'])
  for (let at = 0; at < 5; at += 1) await gateway.call('/v1/messages', message('pool/breaker'))
  const before = gateway.asked
  const { headers } = await gateway.call('/v1/messages', message('pool/breaker'))
  expect(headers.get('x-sluice-served-by')).toBe('west/breaker')
  expect(gateway.asked - before).toBe(1)
  gateway.answer = failing([])
  const same = await gateway.call('/v1/messages', message('pool/well'))
  const authorization = `Bearer ${await gateway.otherKey()}`
  const other = await gateway.call('/v1/messages', message('pool/breaker'), { authorization })
  expect([same, other].map((answer) => answer.headers.get('x-sluice-served-by'))).toEqual([
    'broken/well',
    'broken/breaker',
  ])
  await gateway.usage(8)
})

test('503: no target serves; one row names a target, and nothing is charged', async () => {
  gateway.answer = failing(['east', 'west'])
  const { status, headers } = await gateway.call('/v1/messages', message('pool/even'))
  expect({ status, servedBy: headers.get('x-sluice-served-by') }).toEqual({ status: 503, servedBy: null })
  const [row, ...more] = await gateway.usage(1)
  expect(row).toMatchObject({ asked_model: 'pool/even', outcome: 'failed', cost_micros: 0 })
  expect(['east/m', 'west/m']).toContain(row?.model)
  expect(more).toEqual([])
})

test('503: no target is configured', async () => {
  const { status, body } = await gateway.call('/v1/messages', message('gone/pool'))
  expect({ status, body }).toEqual({ status: 503, body: expect.stringContaining('not configured') })
})

test('404: a target that is only for routes cannot be asked for', async () => {
  expect((await gateway.call('/v1/messages', message('east/m'))).status).toBe(404)
})

test('GET /v1/models lists the model with the route, and no hidden target', async () => {
  const answer = await fetch(`${gateway.url}/v1/models`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  })
  const { data } = (await answer.json()) as { data: { id: string }[] }
  const names = data.map(({ id }) => id)
  expect(names).toEqual(expect.arrayContaining(['pool/even', 'pool/price', 'spare/m']))
  expect(names).not.toContain('east/m')
  expect(names).not.toContain('gone/pool')
})
