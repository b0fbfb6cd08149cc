import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CHAT_MODEL, RESPONSES_MODEL, textClientOf } from './call-text.ts'
import { DIALECTS } from './dialects.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

let api: TextApi
beforeAll(async () => {
  api = await startTextApi()
})
afterAll(() => api.close())

describe.each(DIALECTS)('$operation 402', ({ ask, expectError, poor }) => {
  test.each([
    ['whole', {}],
    ['streamed', { stream: true }],
    ['from a responses vendor', { model: RESPONSES_MODEL }],
    ['from a chat vendor', { model: CHAT_MODEL }],
  ])('an empty prepaid balance, %s', async (_name, more) => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    const before = (await api.vendor.requests()).length
    const answer = await ask(textClientOf(api, tenant), 'hello', more)
    expectError(answer, {
      status: 402,
      ...poor,
      message:
        /^Insufficient credit balance. The request needs (\S+) USD, and 0 USD is available: \1 USD is missing. An operator adds it: sluice credit add --org <id> --usd \1$/,
    })
    expect((await api.vendor.requests()).length).toBe(before)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 0, held: 0 })
  })

  test('two requests that are refused for the same balance get their own messages', async () => {
    const client = textClientOf(api, await api.openTenant({ creditMicros: 7 }))
    const texts: string[] = []
    for (const tokens of [1_000, 2_000]) {
      const answer = await ask(client, 'hello', { max_tokens: tokens, max_output_tokens: tokens })
      expectError(answer, { status: 402, message: /USD, and 0.000007 USD is available/ })
      texts.push(JSON.stringify(answer.body).match(/needs \S+ USD/)?.[0] ?? '')
    }
    expect(texts[0]).not.toBe(texts[1])
  })

  test('the same request is accepted after credit is added, also with its Idempotency-Key', async () => {
    const tenant = await api.openTenant({ creditMicros: 0 })
    const send = () => ask(textClientOf(api, tenant), 'hello', {}, { 'idempotency-key': 'poor' })
    expectError(await send(), { status: 402 })
    await api.addCredit(tenant, 1_000_000)
    // Another process added it: seen within 5 s.
    await vi.waitFor(async () => expect(await send()).toMatchObject({ status: 200 }), {
      timeout: 60_000,
      interval: 100,
    })
  })

  test('a postpaid organization owes instead', async () => {
    const tenant = await api.openTenant({ creditMicros: 0, billing: 'postpaid' })
    expect(await ask(textClientOf(api, tenant), 'hello')).toMatchObject({ status: 200 })
  })
})
