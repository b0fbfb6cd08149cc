import { LIGHT_BYTES_MAX } from '@sluice/dialects/json/parse-json'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../../src/app/app.ts'
import { ApiError } from '../../../../src/domain/api-error.ts'
import { KEY, memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'
import { startTextGateway, type TextGateway } from '../../text-resilience/start-text-gateway.ts'

const PATH = '/v1/embeddings'
const LONG = 'x'.repeat(LIGHT_BYTES_MAX)

/** Counts the bodies that the use cases get: the main thread has parsed `light` ones. */
async function givenFor(body: object): Promise<{ light: number; heavy: number; status: number }> {
  const given = { light: 0, heavy: 0 }
  const createEmbeddings: App['createEmbeddings'] = async () => {
    given.light += 1
    throw new ApiError('model_not_found')
  }
  const readHeavyEmbeddings: App['readHeavyEmbeddings'] = async ({ bytes }) => {
    given.heavy += 1
    expect(bytes.toString()).toBe(JSON.stringify(body))
    throw new ApiError('model_not_found')
  }
  const edge = await startEdge({ app: memoryApp({ createEmbeddings, readHeavyEmbeddings }) })
  onTestFinished(() => edge.close())
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const { status } = await fetch(`${edge.url}${PATH}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { ...given, status }
}

describe('the body of a request for embeddings', () => {
  test.each<[string, unknown, { light: number; heavy: number }]>([
    ['a short text is parsed on the main thread', 'a tap', { light: 1, heavy: 0 }],
    ['a long text is left to another thread', LONG, { light: 0, heavy: 1 }],
    ['9,000 tokens are left to another thread', Array(9_000).fill(7), { light: 0, heavy: 1 }],
  ])('%s', async (_name, input, expected) => {
    expect(await givenFor({ model: 'own/none', input })).toEqual({ ...expected, status: 404 })
  })
})

const PROVIDERS = `
providers:
  own: { driver: text, base_url: VENDOR, api_key: own, models: { embed: chat } }
`
const CATALOG = `
models:
  - { model_id: 60, name: own/embed, endpoints: [embeddings], prices: [{ unit: input_token, usd_per_million: 20 }] }
`

describe('a heavy request for embeddings', () => {
  let gateway: TextGateway
  beforeAll(async () => {
    gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
  })
  afterAll(() => gateway.close())
  const heavy = (more: object = {}) => ({ model: 'own/embed', input: [LONG, 'a tap'], user: 'ada', ...more })
  const vectors = (usage?: object) => ({ object: 'list', data: [], model: 'embed', ...usage })

  test('200: the vendor gets the same body with its own name of the model, and 500 tokens cost 10,000 micros', async () => {
    const usage = { prompt_tokens: 500, total_tokens: 500 }
    gateway.answer = (_, response) => response.end(JSON.stringify(vectors({ usage })))
    const answer = await gateway.call(PATH, heavy())
    expect(answer.status).toBe(200)
    expect(JSON.parse(gateway.received)).toEqual(heavy({ model: 'embed' }))
    expect(await gateway.usage(1)).toMatchObject([{ input_tokens: 500, cost_micros: 10_000 }])
  })

  test('200: the gateway counts when the vendor does not, at 20 micros a token', async () => {
    gateway.answer = (_, response) => response.end(JSON.stringify(vectors()))
    const input = Array(2_048).fill([1, 2, 3, 4, 5])
    expect((await gateway.call(PATH, heavy({ input }))).status).toBe(200)
    expect(await gateway.usage(1)).toMatchObject([{ input_tokens: 10_240, cost_micros: 204_800 }])
  })

  test.each<[number, string, object]>([
    [404, 'model_not_found', heavy({ model: 'own/none' })],
    [400, 'invalid_parameter', heavy({ input: [LONG, ''] })],
    [400, 'invalid_parameter', heavy({ Model: 'talk' })],
    [400, 'invalid_json', heavy({ input: Array(65_537).fill(1) })],
  ])('%i %s: the vendor is not asked', async (status, code, body) => {
    const before = gateway.asked
    const answer = await gateway.call(PATH, body)
    expect({ status: answer.status, code: JSON.parse(answer.body).error.code }).toEqual({ status, code })
    expect(gateway.asked).toBe(before)
  })

  test('400: a duplicate member, of which a vendor may read the other value', async () => {
    const answer = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: `{"model":"own/embed","model":"own/talk","input":"${LONG}"}`,
    })
    expect(answer.status).toBe(400)
  })
})
