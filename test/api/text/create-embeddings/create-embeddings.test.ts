import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from '../../text-resilience/start-text-gateway.ts'

const PROVIDERS = `
providers:
  own:
    driver: text
    base_url: VENDOR
    api_key: own
    models: { embed: chat, unpriced: chat, talk: chat, both: chat }
  beside:
    driver: text
    base_url: VENDOR
    api_key: own
    chat: { path: /openai/v1/chat/completions }
    models: { embed: chat }
`
const CATALOG = `
models:
  - { model_id: 60, name: own/embed, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 20 }] }
  - { model_id: 61, name: beside/embed, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 20 }] }
  - { model_id: 62, name: own/unpriced, endpoints: [embeddings], prices: [] }
  - { model_id: 63, name: own/talk, prices: [{ unit: input_token, usd_per_million: 1 }, { unit: output_token, usd_per_million: 5 }] }
  - { model_id: 65, name: own/both, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 20 }, { unit: output_token, usd_per_million: 100 }] }
  - { model_id: 64, name: gone/embed, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 20 }] }
`
const PATH = '/v1/embeddings'
const body = (more: object = {}) => ({ model: 'own/embed', input: ['a tap', 'a sluice'], ...more })
const vectors = (usage?: object) => ({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5, -1e-7] }],
  model: 'embed',
  ...(usage === undefined ? {} : { usage }),
})
const counted = { prompt_tokens: 3_000, total_tokens: 3_000 }

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({
    ...{ providers: PROVIDERS, catalog: CATALOG },
    environment: { BODY_LIMIT_BYTES: '65536' },
  })
  await gateway.operator.setAlias({ alias: 'vectors', model: 'own/embed', organizationId: null })
})
afterAll(() => gateway.close())

const answering = (value: unknown): TextGateway['answer'] => {
  return (_, response) => response.end(JSON.stringify(value))
}
const errorOf = (text: string) => JSON.parse(text).error

describe('POST /v1/embeddings', () => {
  test.each([
    ['small', 1],
    ['large', 50_000],
  ])(
    '200 a %s reply to an alias names the alias and costs what its model costs: 60,000 micros',
    async (_, count) => {
      const data = Array.from({ length: count }, (_row, index) => ({
        ...{ object: 'embedding', index, embedding: [0.123456789, -0.123456789] },
      }))
      gateway.answer = answering({ ...vectors(counted), data })
      const { status, headers, body: text } = await gateway.call(PATH, body({ model: 'vectors' }))
      expect([status, headers.get('x-sluice-served-by')]).toEqual([200, 'own/embed'])
      const reply = JSON.parse(text)
      expect(reply.model).toBe('vectors')
      expect(reply.data).toHaveLength(count)
      expect((await gateway.usage(1))[0]).toMatchObject({ model: 'own/embed', cost_micros: 60_000 })
    },
  )

  test.each([
    ['no prompt', { prompt_tokens: 0, total_tokens: 50 }],
    ['an impossible prompt', { prompt_tokens: -50, total_tokens: 50 }],
  ])('200 a vendor that counts %s and a total is paid by its total: 1,000 micros', async (_name, usage) => {
    gateway.answer = answering(vectors(usage))
    expect((await gateway.call(PATH, body())).status).toBe(200)
    expect((await gateway.usage(1))[0]).toMatchObject({ input_tokens: 50, cost_micros: 1_000 })
  })

  test.each([
    ['small', 1],
    ['large', 6_000],
  ])('200 a %s list that repeats its texts costs no output: 60,000 micros', async (_name, count) => {
    const data = Array.from({ length: count }, (_, index) => ({
      index,
      embedding: [1],
      text: 'a'.repeat(1_000),
    }))
    for (const usage of [counted, undefined]) {
      gateway.answer = answering({ ...vectors(usage), data })
      expect((await gateway.call(PATH, body({ model: 'own/both' }))).status).toBe(200)
      const cost = usage === undefined ? { output_tokens: 0 } : { output_tokens: 0, cost_micros: 60_000 }
      expect((await gateway.usage(1))[0]).toMatchObject(cost)
    }
  })

  test.each([
    ['own/embed', '/v1/embeddings'],
    ['beside/embed', '/openai/v1/embeddings'],
  ])('200 %s asks the vendor at %s; 3,000 tokens cost 60,000 micros', async (model, path) => {
    let asked: string | undefined
    gateway.answer = ({ url }, response) => {
      asked = url
      response.end(JSON.stringify(vectors(counted)))
    }
    const more = { dimensions: 2, encoding_format: 'float', user: 'ada' }
    const authorization = `Bearer ${await gateway.otherKey()}`
    const answer = await gateway.call(PATH, body({ model, ...more }), { authorization })
    expect({ status: answer.status, reply: JSON.parse(answer.body) }).toEqual({
      status: 200,
      reply: { ...vectors(counted), model },
    })
    expect(answer.headers.get('x-sluice-cost-usd')).toBe('0.060000')
    expect(answer.headers.get('x-sluice-served-by')).toBe(model)
    expect({ asked, received: JSON.parse(gateway.received) }).toEqual({
      asked: path,
      received: { model: 'embed', input: ['a tap', 'a sluice'], ...more },
    })
    expect(await gateway.usage(1)).toMatchObject([
      { model, outcome: 'completed', input_tokens: 3_000, output_tokens: 0, cost_micros: 60_000 },
    ])
  })

  test.each([
    ['one text', 'a tap', undefined],
    ['tokens', [1, 2, 3], 60],
    ['lists of tokens', [[1, 2], [3]], 60],
    ['9,000 tokens', Array(9_000).fill(7), 180_000],
    ['2,048 lists of 5 tokens', Array(2_048).fill([1, 2, 3, 4, 5]), 204_800],
  ])('200 %s; the gateway counts when the vendor does not', async (_, input, costMicros) => {
    gateway.answer = answering(vectors())
    expect((await gateway.call(PATH, body({ input }))).status).toBe(200)
    const [row] = await gateway.usage(1)
    expect(Number(row?.input_tokens)).toBeGreaterThan(0)
    expect(row?.cost_micros).toBe(costMicros ?? Number(row?.input_tokens) * 20)
  })

  test.each<[string, object, string]>([
    ['no model', { input: 'a' }, 'model'],
    ['no input', { model: 'own/embed' }, 'input'],
    ['an empty text', body({ input: '' }), 'input'],
    ['no texts', body({ input: [] }), 'input'],
    ['texts and tokens', body({ input: ['a', 1] }), 'input'],
    ['more than 2,048 texts', body({ input: Array(2_049).fill('a') }), 'input'],
    ['a token below 0', body({ input: [-1] }), 'input'],
    ['another encoding', body({ encoding_format: 'int8' }), 'encoding_format'],
    ['no dimensions', body({ dimensions: 0 }), 'dimensions'],
    ['a second spelling of model', body({ Model: 'talk' }), 'Model'],
    ['two spellings of an unknown member', body({ later: 1, LATER: 2 }), 'LATER'],
  ])('400 %s: the vendor is not asked', async (_, sent, param) => {
    const before = gateway.asked
    const answer = await gateway.call(PATH, sent)
    expect({ status: answer.status, error: errorOf(answer.body) }).toMatchObject({
      status: 400,
      error: { type: 'invalid_request_error', param },
    })
    expect(gateway.asked).toBe(before)
  })

  test('400 of the vendor has its words, and costs 0 micros', async () => {
    const error = {
      message: 'input: too long for me',
      type: 'invalid_request_error',
      param: null,
      code: null,
    }
    gateway.answer = (_, response) => response.writeHead(400).end(JSON.stringify({ error }))
    const answer = await gateway.call(PATH, body())
    expect(answer.status).toBe(400)
    expect(errorOf(answer.body).message).toContain('too long for me')
    expect(answer.headers.get('x-sluice-cost-usd')).toBeNull()
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'failed', cost_micros: 0 }])
  })

  test('401 a wrong key', async () => {
    const answer = await gateway.call(PATH, body(), { authorization: 'Bearer wrong' })
    expect(answer.status).toBe(401)
  })

  test('402 an empty balance: the vendor is not asked', async () => {
    const { operator } = gateway
    const { organization } = await operator.createOrganization({
      ...{ name: 'poor', billing: 'prepaid', requestsPerMinute: null },
    })
    const owner = { organizationId: organization.id, name: 'poor' }
    const { id: userId } = await operator.createUser(owner)
    const { key } = await operator.createKey({ ...owner, userId, requestsPerMinute: null })
    const before = gateway.asked
    const answer = await gateway.call(PATH, body(), { authorization: `Bearer ${key}` })
    expect({ status: answer.status, error: errorOf(answer.body) }).toMatchObject({
      status: 402,
      error: { code: 'insufficient_balance' },
    })
    expect(gateway.asked).toBe(before)
  })

  test.each([
    ['none/embed', /does not exist/],
    ['own/talk', /not offered on POST \/v1\/embeddings\. It is offered on POST \/v1\/messages/],
  ])('404 %s', async (model, message) => {
    const answer = await gateway.call(PATH, body({ model }))
    expect({ status: answer.status, error: errorOf(answer.body) }).toMatchObject({
      status: 404,
      error: { code: 'model_not_found', message: expect.stringMatching(message) },
    })
  })

  test('404 a model for embeddings on the text endpoints', async () => {
    const messages = [{ role: 'user', content: 'hi' }]
    const answer = await gateway.call('/v1/chat/completions', { model: 'own/embed', messages })
    expect(answer.status).toBe(404)
    expect(errorOf(answer.body).message).toContain('It is offered on POST /v1/embeddings.')
  })

  test('413 a body beyond BODY_LIMIT_BYTES', async () => {
    expect((await gateway.call(PATH, body({ input: 'x'.repeat(65_536) }))).status).toBe(413)
  })

  test.each([
    [429, 429, 'rate_limit_error'],
    [500, 503, 'service_unavailable_error'],
    [401, 503, 'service_unavailable_error'],
    [529, 529, 'overloaded_error'],
  ])('%i of the vendor is %i, and costs 0 micros', async (vendors, status, type) => {
    gateway.answer = (_, response) => response.writeHead(vendors, { 'retry-after': '7' }).end()
    const answer = await gateway.call(PATH, body({ model: 'beside/embed' }))
    expect({ status: answer.status, error: errorOf(answer.body) }).toMatchObject({ status, error: { type } })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'failed', cost_micros: 0 }])
  })

  test.each([
    ['a model without a price', 'own/unpriced', /no price/],
    ['a provider that is not configured', 'gone/embed', /not configured/],
  ])('503 %s', async (_, model, message) => {
    const answer = await gateway.call(PATH, body({ model }))
    expect({ status: answer.status, error: errorOf(answer.body) }).toMatchObject({
      status: 503,
      error: { message: expect.stringMatching(message) },
    })
  })

  test('503 an answer that is no list of vectors, and costs 0 micros', async () => {
    gateway.answer = answering({ object: 'list' })
    expect((await gateway.call(PATH, body())).status).toBe(503)
    expect(await gateway.usage(1)).toMatchObject([{ outcome: 'failed', cost_micros: 0 }])
  })

  test('a model for embeddings has its kind in GET /v1/models', async () => {
    const answer = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    })
    const { data } = Object(await answer.json())
    const kinds = Object.fromEntries(data.map(({ id, kind }: { id: string; kind: string }) => [id, kind]))
    expect(kinds).toMatchObject({ 'own/embed': 'embedding', 'own/talk': 'text' })
  })
})
