import { expect, onTestFinished, test } from 'vitest'
import { expectMessagesError, message, textClientOf } from '../../../test/text-api/call-text.ts'
import { startTextApi } from '../../../test/text-api/start-text-api.ts'

test('POST /v1/messages takes 32 MiB', async () => {
  const api = await startTextApi()
  onTestFinished(() => api.close())
  const { messages } = textClientOf(api, api.tenant)
  const answer = await messages(message('x'.repeat(32 * 1024 * 1024)))
  expectMessagesError(answer, { status: 413, type: 'request_too_large' })
})

test('POST /v1/messages takes what BODY_LIMIT_BYTES says', async () => {
  const api = await startTextApi({ environment: { BODY_LIMIT_BYTES: '2048' } })
  onTestFinished(() => api.close())
  const { messages } = textClientOf(api, api.tenant)
  expect(await messages(message('x'.repeat(1_500)))).toMatchObject({ status: 200 })
  expectMessagesError(await messages(message('x'.repeat(2_048))), { status: 413, type: 'request_too_large' })
})
