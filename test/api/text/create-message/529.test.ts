import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  expectMessagesError,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/messages', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test.each([MESSAGES_MODEL, CHAT_MODEL, RESPONSES_MODEL])('%s: the vendor is overloaded', async (model) => {
    const tenant = await api.openTenant()
    for (const stream of [false, true]) {
      const answer = await textClientOf(api, tenant).messages(message('[overloaded]', { model, stream }))
      expectMessagesError(answer, { status: 529, type: 'overloaded_error', message: /overloaded/ })
    }
    expect(await api.usageOf(tenant, 2)).toMatchObject([{ cost_micros: 0 }, { cost_micros: 0 }])
  })
})
