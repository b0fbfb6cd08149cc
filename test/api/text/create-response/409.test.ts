import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectResponsesError, response, textClientOf } from '../call-text.ts'
import { type HeldVendor, startHeldVendor } from '../held-vendor.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const providersAt = (url: string) => `
providers:
  vendorC:
    driver: text
    base_url: ${url}/text
    api_key: any
    models: { model-o4-mini: { dialect: responses } }
`

describe('POST /v1/responses', () => {
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

  test('a key whose request is running', async () => {
    const tenant = await api.openTenant()
    const { responses } = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'slow' }
    const first = responses(response(), key)
    await expect.poll(vendor.calls).toBe(1)
    expectResponsesError(await responses(response(), key), { status: 409, type: 'invalid_request_error' })
    await vendor.letThrough()
    expect(await first).toMatchObject({ status: 200 })
    expect((await responses(response(), key)).text).toBe((await first).text)
    expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'completed', cost_micros: 20 }])
  })
})
