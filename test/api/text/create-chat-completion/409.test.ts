import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, completion, expectResponsesError, textClientOf } from '../call-text.ts'
import { type HeldVendor, startHeldVendor } from '../held-vendor.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const providersAt = (url: string) => `
providers:
  vendorC:
    driver: text
    base_url: ${url}/text
    api_key: any
    models: { model-4.1-mini: { dialect: chat } }
`

describe('POST /v1/chat/completions', () => {
  let vendor: HeldVendor
  let api: TextApi
  beforeAll(async () => {
    vendor = await startHeldVendor()
    api = await startTextApi({ providers: providersAt(vendor.url) })
  })
  afterAll(async () => {
    await api.close()
    await vendor.close()
  })

  test('409 a key whose request is running; afterwards its reply again, charged once', async () => {
    const tenant = await api.openTenant()
    const { chat } = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'slow' }
    const first = chat(completion('hello', { model: CHAT_MODEL }), key)
    await expect.poll(vendor.calls).toBe(1)
    expectResponsesError(await chat(completion(), key), { status: 409, type: 'invalid_request_error' })
    await vendor.letThrough()
    expect(await first).toMatchObject({ status: 200 })
    const again = await chat(completion(), key)
    expect(again.text).toBe((await first).text)
    expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'completed', cost_micros: 7 }])
  })
})
