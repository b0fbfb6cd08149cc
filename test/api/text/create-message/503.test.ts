import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  CHAT_MODEL,
  expectMessagesError,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const BAD_KEY = `
providers:
  vendorD:
    driver: text
    base_url: SANDBOX/text
    api_key: bad-key
    version_header: compat-version
    models: { text-small: { dialect: messages } }
`

describe('POST /v1/messages', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi({ unpriced: ['vendorD/text-large'] })
  })
  afterAll(() => api.close())

  test('the model has no price', async () => {
    const answer = await textClientOf(api, api.tenant).messages(
      message('hello', { model: 'vendorD/text-large' }),
    )
    expectMessagesError(answer, { status: 503, type: 'api_error', message: /no price/ })
  })

  test('a vendor error frees the Idempotency-Key', async () => {
    const { messages } = textClientOf(api, api.tenant)
    const key = { 'idempotency-key': 'again' }
    expectMessagesError(await messages(message('[fail]'), key), { status: 503 })
    expect(await messages(message(), key)).toMatchObject({ status: 200 })
  })

  test.each([MESSAGES_MODEL, CHAT_MODEL, RESPONSES_MODEL])('%s: the vendor breaks down', async (model) => {
    const tenant = await api.openTenant()
    const { messages } = textClientOf(api, tenant)
    for (const stream of [false, true]) {
      const answer = await messages(message('[fail]', { model, stream }))
      expectMessagesError(answer, { status: 503, type: 'api_error' })
      expect(answer.text).not.toMatch(/broke down/)
    }
    expect(await api.usageOf(tenant, 2)).toMatchObject([{ cost_micros: 0 }, { cost_micros: 0 }])
  })

  test('our key is not good, or the provider is not configured: never the 401 of the client', async () => {
    const fresh = await startTextApi({ providers: BAD_KEY })
    onTestFinished(() => fresh.close())
    const { messages } = textClientOf(fresh, fresh.tenant)
    const refused = await messages(message())
    expectMessagesError(refused, { status: 503, type: 'api_error' })
    expect(refused.text).not.toMatch(/key/i)
    const answer = await messages(message('hello', { model: CHAT_MODEL }))
    expectMessagesError(answer, { status: 503, type: 'api_error', message: /not configured/ })
    const other = await messages(message('hello', { model: 'vendorD/text-large' }))
    expectMessagesError(other, { status: 503, type: 'api_error', message: /not configured/ })
  })
})
