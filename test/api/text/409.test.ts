import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Tenant } from '../video/tenants.ts'
import { type TextAnswer, textClientOf } from './call-text.ts'
import { DIALECTS } from './dialects.ts'
import { type HeldVendor, startHeldVendor } from './held-vendor.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

const providersAt = (url: string) => `
providers:
  vendorC:
    driver: text
    base_url: ${url}/text
    api_key: any
    models: { model-o4-mini: { dialect: responses }, model-4.1-mini: { dialect: chat } }
  vendorD:
    driver: text
    base_url: ${url}/text
    api_key: any
    version_header: compat-version
    models: { text-small: { dialect: messages } }
`

let vendor: HeldVendor
let api: TextApi
const tenants = new Map<string, Tenant>()
const first = new Map<string, Promise<TextAnswer>>()
const send = ({ operation, ask }: (typeof DIALECTS)[number]) => {
  const tenant = tenants.get(operation)
  if (tenant === undefined) throw new Error(`no tenant for ${operation}`)
  return ask(textClientOf(api, tenant), 'hello', {}, { 'idempotency-key': 'slow' })
}
beforeAll(async () => {
  vendor = await startHeldVendor()
  api = await startTextApi({ providers: providersAt(vendor.url) })
  for (const row of DIALECTS) {
    tenants.set(row.operation, await api.openTenant())
    first.set(row.operation, send(row))
  }
  await vi.waitFor(() => expect(vendor.calls()).toBe(DIALECTS.length), { timeout: 60_000 })
})
afterAll(async () => {
  await api.close()
  await vendor.close()
})

test.each(DIALECTS)('$operation 409: a key whose request is running', async (row) => {
  row.expectError(await send(row), { status: 409, type: 'invalid_request_error' })
})

test.each(DIALECTS)('$operation 200: once it has ended, its reply again, charged once', async (row) => {
  await vendor.letThrough()
  const reply = await first.get(row.operation)
  expect(reply).toMatchObject({ status: 200 })
  expect((await send(row)).text).toBe(reply?.text)
  const tenant = tenants.get(row.operation) ?? api.tenant
  expect(await api.usageOf(tenant, 1)).toMatchObject([{ outcome: 'completed', cost_micros: row.helloMicros }])
})
