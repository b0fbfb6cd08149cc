import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, expectResponsesError, RESPONSES_MODEL, response, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/responses', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test.each([CHAT_MODEL, RESPONSES_MODEL])('%s: the vendor is overloaded', async (model) => {
    const tenant = await api.openTenant()
    for (const stream of [false, true]) {
      const answer = await textClientOf(api, tenant).responses(response('[overloaded]', { model, stream }))
      expectResponsesError(answer, { status: 529, type: 'overloaded_error', message: /overloaded/ })
    }
    expect(await api.usageOf(tenant, 2)).toMatchObject([{ cost_micros: 0 }, { cost_micros: 0 }])
  })
})
