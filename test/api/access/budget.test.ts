import { afterAll, beforeAll, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { startTextGateway, type TextGateway } from '../text-resilience/start-text-gateway.ts'
import { WHOLE } from '../text-resilience/vendor-message.ts'

const PROVIDERS =
  'providers: { own: { driver: text, base_url: VENDOR, api_key: k, models: { m: messages } } }'
const CATALOG = `
models:
  - { model_id: 30, name: own/m, endpoints: [messages, responses], max_output_tokens: 100, context_tokens: 1000,
      prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }] }
`
const MESSAGE = { model: 'own/m', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello.' }] }

const secondsToNextMonth = (fromMs: number) => {
  const from = new Date(fromMs)
  return Math.ceil((Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1) - fromMs) / 1_000)
}

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
  gateway.answer = (_request, response) => response.end(WHOLE)
})
afterAll(() => gateway.close())

test('POST /v1/messages and /v1/responses beyond the monthly budget: 429 budget_exceeded, and nothing is charged', async () => {
  const { operator, organizationId: id } = gateway
  const wish = { id, warnPercent: 80 }
  expect(await gateway.call('/v1/messages', MESSAGE)).toMatchObject({ status: 200 })
  expect(await gateway.usage(1)).toMatchObject([{ cost_micros: 84 }])
  await operator.setBudget({ ...wish, monthlyBudgetMicros: micros(100) })
  await expect
    .poll(async () => (await gateway.call('/v1/messages', MESSAGE)).status, {
      interval: 500,
    })
    .toBe(429)
  const before = (await operator.showBudget(id)).usedMicros
  const beforeMs = Date.now()
  const answer = await gateway.call('/v1/responses', { model: 'own/m', input: 'Say hello.' })
  expect({ status: answer.status, error: JSON.parse(answer.body).error }).toMatchObject({
    status: 429,
    error: { code: 'budget_exceeded', type: 'rate_limit_error' },
  })
  const afterMs = Date.now()
  const retryAfter = Number(answer.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThanOrEqual(Math.min(3_600, secondsToNextMonth(afterMs)))
  expect(retryAfter).toBeLessThanOrEqual(Math.min(3_600, secondsToNextMonth(beforeMs)))
  expect((await operator.showBudget(id)).usedMicros).toBe(before)
  await operator.setBudget({ ...wish, monthlyBudgetMicros: micros(1_000_000) })
  await expect.poll(async () => (await gateway.call('/v1/messages', MESSAGE)).status).toBe(200)
})

test('POST /v1/messages beyond the monthly budget of the key: 429 budget_exceeded, while other keys of the organization are served', async () => {
  const { operator, organizationId } = gateway
  const [user] = await operator.listUsers(organizationId)
  const { apiKey, key } = await operator.createKey({
    ...{ organizationId, userId: user?.id ?? '', name: 'limited', requestsPerMinute: null },
    monthlyBudgetMicros: micros(2_000),
  })
  const callWith = (path: string, body: object) =>
    gateway.call(path, body, { authorization: `Bearer ${key}` })
  expect(await callWith('/v1/messages', MESSAGE)).toMatchObject({ status: 200 })
  await expect.poll(async () => (await operator.showKeyBudget(apiKey.id)).usedMicros).toBe(84)
  await operator.setKeyBudget({ id: apiKey.id, monthlyBudgetMicros: micros(100) })
  await expect.poll(async () => (await callWith('/v1/messages', MESSAGE)).status, { interval: 500 }).toBe(429)
  const answer = await callWith('/v1/responses', { model: 'own/m', input: 'Say hello.' })
  expect({ status: answer.status, error: JSON.parse(answer.body).error }).toMatchObject({
    status: 429,
    error: { code: 'budget_exceeded' },
  })
  expect(await gateway.call('/v1/messages', MESSAGE)).toMatchObject({ status: 200 })
  await operator.setKeyBudget({ id: apiKey.id, monthlyBudgetMicros: null })
  await expect.poll(async () => (await callWith('/v1/messages', MESSAGE)).status, { interval: 200 }).toBe(200)
})
