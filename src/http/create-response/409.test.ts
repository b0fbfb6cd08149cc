import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectResponsesError, response, textClientOf } from '../../../test/text-api/call-text.ts'
import { startTextApi, type TextApi } from '../../../test/text-api/start-text-api.ts'

describe('POST /v1/responses', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test('a key whose request is under way', async () => {
    const tenant = await api.openTenant()
    const { responses } = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'slow' }
    const body = response('[count 5] [pace 300]')
    const first = responses(body, key)
    await vi.waitFor(async () => expect(await api.vendor.counts()).toMatchObject({ open: 1 }), 10_000)
    expectResponsesError(await responses(body, key), { status: 409, type: 'invalid_request_error' })
    expect(await first).toMatchObject({ status: 200 })
    expect((await responses(body, key)).text).toBe((await first).text)
    expect(await api.usageOf(tenant, 1)).toHaveLength(1)
  })
})
