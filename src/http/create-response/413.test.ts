import { expect, onTestFinished, test } from 'vitest'
import { expectResponsesError, response, textClientOf } from '../../../test/text-api/call-text.ts'
import { startTextApi } from '../../../test/text-api/start-text-api.ts'

test('POST /v1/responses takes 32 MiB', async () => {
  const api = await startTextApi()
  onTestFinished(() => api.close())
  const { responses } = textClientOf(api, api.tenant)
  const answer = await responses(response('x'.repeat(32 * 1024 * 1024)))
  expectResponsesError(answer, { status: 413, code: 'body_too_large' })
})

test('POST /v1/responses takes what BODY_LIMIT_BYTES says', async () => {
  const api = await startTextApi({ environment: { BODY_LIMIT_BYTES: '2048' } })
  onTestFinished(() => api.close())
  const { responses } = textClientOf(api, api.tenant)
  expect(await responses(response('x'.repeat(1_500)))).toMatchObject({ status: 200 })
  expectResponsesError(await responses(response('x'.repeat(2_048))), { status: 413, code: 'body_too_large' })
})
