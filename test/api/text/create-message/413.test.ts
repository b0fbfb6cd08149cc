import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessagesError, message, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

let usual: TextApi
let bounded: TextApi
// Each with the time of a hook of its own.
beforeAll(async () => {
  usual = await startTextApi()
})
beforeAll(async () => {
  bounded = await startTextApi({ environment: { BODY_LIMIT_BYTES: '2048' } })
})
afterAll(() => usual.close())
afterAll(() => bounded.close())

test('POST /v1/messages takes 32 MiB', async () => {
  const { messages } = textClientOf(usual, usual.tenant)
  const answer = await messages(message('x'.repeat(32 * 1024 * 1024)))
  expectMessagesError(answer, { status: 413, type: 'request_too_large' })
})

test('POST /v1/messages takes what BODY_LIMIT_BYTES says', async () => {
  const { messages } = textClientOf(bounded, bounded.tenant)
  expect(await messages(message('x'.repeat(1_500)))).toMatchObject({ status: 200 })
  expectMessagesError(await messages(message('x'.repeat(2_048))), { status: 413, type: 'request_too_large' })
})
