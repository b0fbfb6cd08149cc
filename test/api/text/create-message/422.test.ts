import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectMessagesError, message, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/messages', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test('an Idempotency-Key that was used with another body; two API keys may use the same Idempotency-Key', async () => {
    const { messages } = textClientOf(api, api.tenant)
    const key = { 'idempotency-key': 'mine' }
    expect(await messages(message(), key)).toMatchObject({ status: 200 })
    expectMessagesError(await messages(message('other'), key), {
      status: 422,
      type: 'invalid_request_error',
      message: /another body/,
    })
    const other = textClientOf(api, await api.openKey(api.tenant))
    expect(await other.messages(message('other'), key)).toMatchObject({ status: 200 })
  })
})
