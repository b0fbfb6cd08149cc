import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectMessagesError, message, type TextClient, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/messages/count_tokens', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each<[string, object | string, RegExp]>([
    ['not JSON', '{', /valid JSON/],
    ['no model', { messages: [{ role: 'user', content: 'x' }] }, /model/],
    ['no messages', message('x', { messages: undefined }), /messages/],
    ['a bound of 0', message('x', { max_tokens: 0 }), /max_tokens/],
    ['temperature above 1', message('x', { temperature: 2 }), /temperature/],
  ])('%s', async (_name, body, said) => {
    const answer = await client.count(body)
    expectMessagesError(answer, { status: 400, type: 'invalid_request_error', message: said })
  })

  test('the version is missing', async () => {
    const answer = await client.count(message(), { 'compat-version': undefined })
    const said = /^The header anthropic-version is required: .* compat-version counts as the same header\.$/
    expectMessagesError(answer, { status: 400, message: said })
  })

  test("the vendor's own word about the request reaches the client", async () => {
    const answer = await client.count(
      message([{ type: 'tool_result', tool_use_id: 'toolu_x', content: 'x' }]),
    )
    expectMessagesError(answer, { status: 400, type: 'invalid_request_error', message: /tool/ })
    expect((await api.vendor.requests()).at(-1)).toMatchObject({ operation: 'count-tokens', status: 400 })
  })
})
