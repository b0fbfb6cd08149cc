import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessagesError, message, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

let api: TextApi
beforeAll(async () => {
  api = await startTextApi()
})
afterAll(() => api.close())

test('POST /v1/messages/count_tokens counts for text models only', async () => {
  const { count } = textClientOf(api, api.tenant)
  for (const model of ['vendorD/nothing', 'vendorX/nothing', 'vendorA/gen-2.0']) {
    expectMessagesError(await count(message('x', { model })), { status: 404, type: 'not_found_error' })
  }
  const slip = await count(message('x', { model: 'vendorD/text-smal' }))
  expectMessagesError(slip, { status: 404, message: /Did you mean vendorD\/text-small\?$/ })
  expect(await count(message())).toMatchObject({ status: 200 })
})
