import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from '../text-resilience/start-text-gateway.ts'
import { WHOLE } from '../text-resilience/vendor-message.ts'

const PROVIDERS =
  'providers: { own: { driver: text, base_url: VENDOR, api_key: k, models: { m: messages, n: messages } } }'
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CATALOG = `
models:
  - { model_id: 30, name: own/m, endpoints: [messages, responses], max_output_tokens: 1000, ${PRICES} }
  - { model_id: 31, name: own/n, endpoints: [messages, responses], max_output_tokens: 1000, ${PRICES} }
`
const MESSAGE = { max_tokens: 100, messages: [{ role: 'user', content: 'Say hello.' }] }

let gateway: TextGateway
let tenant: { organizationId: string; userId: string }
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
  const { operator, organizationId } = gateway
  const { id: userId } = await operator.createUser({ organizationId, name: '' })
  tenant = { organizationId, userId }
  gateway.answer = (_request, response) => response.end(WHOLE)
})
afterAll(() => gateway.close())

const makeKey = (terms: { allowedModels?: string[]; expiresAtMs?: number }) =>
  gateway.operator.createKey({ ...tenant, name: '', requestsPerMinute: null, ...terms })

async function ask(key: string, method: string, path: string, body?: object) {
  const headers = {
    ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    authorization: `Bearer ${key}`,
  }
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
  const answer = await fetch(`${gateway.url}${path}`, init)
  return { status: answer.status, body: Object(await answer.json()) }
}

describe('a key with a list of models', () => {
  let key = ''
  beforeAll(async () => {
    ;({ key } = await makeKey({ allowedModels: ['own/m'] }))
  })

  test.each([
    ['POST', '/v1/messages', { ...MESSAGE, model: 'own/n' }],
    ['POST', '/v1/messages', { ...MESSAGE, model: 'own/n', stream: true }],
    ['POST', '/v1/messages/count_tokens', { ...MESSAGE, model: 'own/n' }],
    ['POST', '/v1/responses', { input: 'Hello', model: 'own/n' }],
    ['POST', '/v1/messages', { ...MESSAGE, model: 'own/unknown' }],
    ['POST', '/v1/messages', { ...MESSAGE, model: 'own/M' }],
    ['POST', '/v1/video/generations', { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a' }] }],
    ['GET', '/v1/models/own/n', undefined],
    ['GET', '/v1/models/own%2Fn', undefined],
  ])('%s %s with another model: 403 model_not_allowed', async (method, path, body) => {
    const { status, body: answer } = await ask(key, method, path, body)
    expect({ status, error: answer.error }).toMatchObject({
      status: 403,
      error: path.startsWith('/v1/messages')
        ? { type: 'permission_error' }
        : { code: 'model_not_allowed', param: 'model' },
    })
  })

  test('GET /v1/models 200 lists the models of the key', async () => {
    const { status, body } = await ask(key, 'GET', '/v1/models')
    expect({ status, names: body.data.map(({ id }: { id: string }) => id) }).toEqual({
      status: 200,
      names: ['own/m'],
    })
    const all = await ask(gateway.key, 'GET', '/v1/models')
    expect(all.body.data.length).toBeGreaterThan(1)
  })

  test('POST /v1/messages with a model of the list: 200, for 84 micros', async () => {
    expect(await ask(key, 'POST', '/v1/messages', { ...MESSAGE, model: 'own/m' })).toMatchObject({
      status: 200,
    })
    expect(await gateway.usage(1)).toMatchObject([{ cost_micros: 84 }])
  })

  test('an unknown model cannot be listed', async () => {
    await expect(makeKey({ allowedModels: ['own/m', 'own/typo'] })).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringContaining('own/typo'),
    })
  })
})

test('an expiring key: 200 before, 401 after; an expiry in the past is refused', async () => {
  const { key } = await makeKey({ expiresAtMs: Date.now() + 3_000 })
  expect(await ask(key, 'GET', '/v1/models')).toMatchObject({ status: 200 })
  await expect
    .poll(async () => await ask(key, 'GET', '/v1/models'), { interval: 100 })
    .toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key', message: expect.stringContaining('expired') } },
    })
  await expect(makeKey({ expiresAtMs: 5 })).rejects.toMatchObject({ code: 'invalid_parameter' })
})

test('a rotated key: the successor has its terms, and the old one works until the overlap is over', async () => {
  const { operator } = gateway
  const { apiKey, key } = await makeKey({ allowedModels: ['own/m'] })
  const { id } = apiKey
  const rotated = await operator.rotateKey({ id, overlapMs: 60_000 })
  expect(rotated).toMatchObject({
    apiKey: { allowedModels: ['own/m'], expiresAtMs: null, revokedAtMs: null },
    old: { id, expiresAtMs: expect.any(Number) },
  })
  for (const one of [key, rotated.key])
    expect(await ask(one, 'GET', '/v1/models')).toMatchObject({
      status: 200,
      body: { data: [{ id: 'own/m' }] },
    })
  await operator.rotateKey({ id, overlapMs: 0 })
  await expect.poll(async () => (await ask(key, 'GET', '/v1/models')).status, { interval: 200 }).toBe(401)
  await expect(operator.rotateKey({ id, overlapMs: 0 })).rejects.toMatchObject({
    ...{ code: 'invalid_parameter', message: expect.stringContaining('has expired') },
  })
  expect(await ask(rotated.key, 'GET', '/v1/models')).toMatchObject({ status: 200 })
})
