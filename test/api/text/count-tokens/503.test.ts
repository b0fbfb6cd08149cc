import { afterAll, beforeAll, test } from 'vitest'
import { CHAT_MODEL, expectMessagesError, message, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const ONE = `
providers:
  vendorD:
    driver: text
    base_url: SANDBOX/text
    api_key: any
    models: { text-small: { dialect: messages } }
`

let api: TextApi
beforeAll(async () => {
  api = await startTextApi({ providers: ONE, unpriced: ['vendorD/text-small'] })
})
afterAll(() => api.close())

test('POST /v1/messages/count_tokens 503 for a model without a provider or a price', async () => {
  const { count } = textClientOf(api, api.tenant)
  const missing = await count(message('x', { model: CHAT_MODEL }))
  expectMessagesError(missing, { status: 503, type: 'api_error', message: /not configured/ })
  expectMessagesError(await count(message()), { status: 503, type: 'api_error', message: /no price/ })
})
