import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectMessagesError, message, textClientOf } from '../../../test/text-api/call-text.ts'
import { startTextApi, type TextApi } from '../../../test/text-api/start-text-api.ts'

describe('POST /v1/messages', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test('a key whose request is under way', async () => {
    const tenant = await api.openTenant()
    const { messages } = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'slow' }
    const body = message('[count 5] [pace 300]')
    const first = messages(body, key)
    await vi.waitFor(async () => expect(await api.vendor.counts()).toMatchObject({ open: 1 }), 10_000)
    expectMessagesError(await messages(body, key), { status: 409, type: 'invalid_request_error' })
    expect(await first).toMatchObject({ status: 200 })
    expect((await messages(body, key)).text).toBe((await first).text)
    expect(await api.usageOf(tenant, 1)).toHaveLength(1)
  })
})
