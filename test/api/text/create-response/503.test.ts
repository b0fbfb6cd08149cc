import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CHAT_MODEL, expectResponsesError, RESPONSES_MODEL, response, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const BAD_KEY = `
providers:
  vendorC:
    driver: text
    base_url: SANDBOX/text
    api_key: bad-key
    models: { model-o4-mini: { dialect: responses }, model-4.1: { dialect: chat } }
`

describe('POST /v1/responses', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi({ unpriced: ['vendorC/model-o3'] })
  })
  afterAll(() => api.close())

  test('the model has no price', async () => {
    const answer = await textClientOf(api, api.tenant).responses(
      response('hello', { model: 'vendorC/model-o3' }),
    )
    expectResponsesError(answer, { status: 503, type: 'service_unavailable_error', message: /no price/ })
  })

  test('a vendor error frees the Idempotency-Key', async () => {
    const { responses } = textClientOf(api, api.tenant)
    const key = { 'idempotency-key': 'again' }
    expectResponsesError(await responses(response('[fail]'), key), { status: 503 })
    expect(await responses(response(), key)).toMatchObject({ status: 200 })
  })

  test.each([CHAT_MODEL, RESPONSES_MODEL])('%s: the vendor breaks down', async (model) => {
    const tenant = await api.openTenant()
    const { responses } = textClientOf(api, tenant)
    for (const stream of [false, true]) {
      const answer = await responses(response('[fail]', { model, stream }))
      expectResponsesError(answer, { status: 503, type: 'service_unavailable_error' })
      expect(answer.text).not.toMatch(/broke down/)
    }
    expect(await api.usageOf(tenant, 2)).toMatchObject([{ cost_micros: 0 }, { cost_micros: 0 }])
  })

  test('our key is not good, or the provider is not configured: never the 401 of the client', async () => {
    const fresh = await startTextApi({ providers: BAD_KEY })
    onTestFinished(() => fresh.close())
    const { responses } = textClientOf(fresh, fresh.tenant)
    const refused = await responses(response())
    expectResponsesError(refused, { status: 503, type: 'service_unavailable_error' })
    expect(refused.text).not.toMatch(/key/i)
    const answer = await responses(response('hello', { model: CHAT_MODEL }))
    expectResponsesError(answer, {
      status: 503,
      type: 'service_unavailable_error',
      message: /not configured/,
    })
    const other = await responses(response('hello', { model: 'vendorC/model-o3' }))
    expectResponsesError(other, { status: 503, type: 'service_unavailable_error', message: /not configured/ })
  })
})
