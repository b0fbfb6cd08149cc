import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectResponsesError, response, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/responses', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test('an Idempotency-Key that was used with another body; two API keys may use the same Idempotency-Key', async () => {
    const { responses } = textClientOf(api, api.tenant)
    const key = { 'idempotency-key': 'mine' }
    expect(await responses(response(), key)).toMatchObject({ status: 200 })
    expectResponsesError(await responses(response('other'), key), {
      status: 422,
      type: 'invalid_request_error',
      message: /another body/,
    })
    const other = textClientOf(api, await api.openKey(api.tenant))
    expect(await other.responses(response('other'), key)).toMatchObject({ status: 200 })
  })
})
