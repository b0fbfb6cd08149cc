import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CHAT_MODEL, expectMessagesError, message, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/messages', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi()
  })
  afterAll(() => api.close())

  test.each([
    ['whole', {}],
    ['streamed', { stream: true }],
    ['converted', { model: CHAT_MODEL }],
  ])('an empty prepaid balance, %s', async (_name, more) => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    const before = (await api.vendor.requests()).length
    const answer = await textClientOf(api, tenant).messages(message('hello', more))
    expectMessagesError(answer, { status: 402, type: 'billing_error', message: /balance/ })
    expect((await api.vendor.requests()).length).toBe(before)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 0, held: 0 })
  })

  test('the same request is taken once there is credit, also with its Idempotency-Key', async () => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    const { messages } = textClientOf(api, tenant)
    const key = { 'idempotency-key': 'poor' }
    expectMessagesError(await messages(message(), key), { status: 402 })
    await api.addCredit(tenant, 1_000_000)
    // Another process added it: seen within 5 s.
    await vi.waitFor(async () => expect(await messages(message(), key)).toMatchObject({ status: 200 }), {
      timeout: 10_000,
      interval: 100,
    })
  })

  test('a postpaid organization owes instead', async () => {
    const tenant = await api.openTenant({ creditMicros: 0, billing: 'postpaid' })
    expect(await textClientOf(api, tenant).messages(message())).toMatchObject({ status: 200 })
  })
})
