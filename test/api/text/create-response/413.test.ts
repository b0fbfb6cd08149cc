import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectResponsesError, response, textClientOf } from '../call-text.ts'
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

test('POST /v1/responses takes 32 MiB', async () => {
  const { responses } = textClientOf(usual, usual.tenant)
  const answer = await responses(response('x'.repeat(32 * 1024 * 1024)))
  expectResponsesError(answer, { status: 413, code: 'body_too_large' })
})

test('POST /v1/responses takes what BODY_LIMIT_BYTES says', async () => {
  const { responses } = textClientOf(bounded, bounded.tenant)
  expect(await responses(response('x'.repeat(1_500)))).toMatchObject({ status: 200 })
  expectResponsesError(await responses(response('x'.repeat(2_048))), { status: 413, code: 'body_too_large' })
})
