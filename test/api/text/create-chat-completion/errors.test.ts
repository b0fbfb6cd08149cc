import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  completion,
  expectResponsesError,
  MESSAGES_MODEL,
  RESPONSES_MODEL,
  type TextClient,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const NOT_HERE = 'vendorD/text-large'

describe('POST /v1/chat/completions', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi({ rows: { [NOT_HERE]: { endpoints: ['messages'] } } })
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each<[string, object | string, string | undefined]>([
    ['not JSON', '{', undefined],
    ['no model', completion('hello', { model: undefined }), 'model'],
    ['no messages', { model: CHAT_MODEL }, 'messages'],
    ['a message of an unknown role', { model: CHAT_MODEL, messages: [{ role: 'x' }] }, 'messages.0.role'],
    ['n above 1, converted', completion('hello', { model: MESSAGES_MODEL, n: 2 }), 'n'],
    ['logprobs, converted', completion('hello', { model: RESPONSES_MODEL, logprobs: true }), 'logprobs'],
    ['audio, converted', completion('hello', { model: MESSAGES_MODEL, audio: { voice: 'a' } }), 'audio'],
    [
      "another organization's file",
      completion([{ type: 'file', file: { file_id: 'file-other' } }]),
      'messages.0.content.0.file.file_id',
    ],
  ])('400 %s', async (_name, body, param) => {
    const before = (await api.vendor.requests()).length
    const answer = await client.chat(body)
    expectResponsesError(answer, {
      status: 400,
      type: 'invalid_request_error',
      ...(param === undefined ? {} : { param }),
    })
    expect((await api.vendor.requests()).length).toBe(before)
  })

  test('400 with x-sluice-strict what would be lost is refused', async () => {
    const answer = await client.chat(completion('hello', { model: MESSAGES_MODEL, seed: 5 }), {
      'x-sluice-strict': 'true',
    })
    expectResponsesError(answer, { status: 400, code: 'unsupported_combination', message: /seed/ })
  })

  test('401 a wrong key', async () => {
    const answer = await client.chat(completion(), { authorization: 'Bearer wrong' })
    expectResponsesError(answer, { status: 401, type: 'authentication_error' })
  })

  test('404 an unknown model, and one that its row does not offer here', async () => {
    expectResponsesError(await client.chat(completion('hello', { model: 'vendorC/none' })), {
      status: 404,
      code: 'model_not_found',
    })
    expectResponsesError(await client.chat(completion('hello', { model: NOT_HERE })), {
      status: 404,
      code: 'model_not_found',
      message: /is not offered on POST \/v1\/chat\/completions\. It is offered on POST \/v1\/messages/,
    })
  })

  test('404 without /v1 names the right path', async () => {
    const answer = await client.post('/chat/completions', completion(), {})
    expectResponsesError(answer, { status: 404, message: /\/v1\/chat\/completions/ })
  })

  test('422 the same Idempotency-Key with another body', async () => {
    const key = { 'idempotency-key': 'same' }
    await client.chat(completion('one'), key)
    expectResponsesError(await client.chat(completion('two'), key), { status: 422 })
  })
})
