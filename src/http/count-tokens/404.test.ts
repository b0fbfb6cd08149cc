import { expect, onTestFinished, test } from 'vitest'
import { expectMessagesError, message, textClientOf } from '../../../test/text-api/call-text.ts'
import { startTextApi } from '../../../test/text-api/start-text-api.ts'

test('POST /v1/messages/count_tokens counts for text models only', async () => {
  const api = await startTextApi()
  onTestFinished(() => api.close())
  const { count } = textClientOf(api, api.tenant)
  for (const model of ['vendorD/nothing', 'vendorX/nothing', 'vendorA/gen-2.0']) {
    expectMessagesError(await count(message('x', { model })), { status: 404, type: 'not_found_error' })
  }
  expect(await count(message())).toMatchObject({ status: 200 })
})
