import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectMessagesError, message, RESPONSES_MODEL, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/messages', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi({ rows: { [RESPONSES_MODEL]: { endpoints: ['responses'] } } })
  })
  afterAll(() => api.close())

  test.each([
    [
      'an unknown model',
      'vendorD/text-smal',
      /"vendorD\/text-smal" does not .* Did you mean vendorD\/text-small\?$/,
    ],
    ['an unknown provider', 'acme/other', /"acme\/other" does not exist .* GET \/v1\/models lists/],
    ['another spelling', 'VENDORD/text-small', /does not exist/],
    ['a member of every object', '__proto__/constructor', /does not exist/],
    [
      'a video model',
      'vendorA/gen-2.0',
      /^The model vendorA\/gen-2.0 is not offered on POST \/v1\/messages. It is a video model, not a text model: POST \/v1\/video\/generations takes it.$/,
    ],
    ['a model of the other endpoint alone', RESPONSES_MODEL, /offered on POST \/v1\/responses/],
  ])('%s', async (_name, model, said) => {
    const answer = await textClientOf(api, api.tenant).messages(message('hello', { model }))
    expectMessagesError(answer, { status: 404, type: 'not_found_error', message: said })
  })
})
