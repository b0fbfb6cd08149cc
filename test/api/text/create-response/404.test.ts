import { afterAll, beforeAll, describe, test } from 'vitest'
import { CHAT_MODEL, expectResponsesError, response, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/responses', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi({ rows: { [CHAT_MODEL]: { endpoints: ['messages'] } } })
  })
  afterAll(() => api.close())

  test.each([
    [
      'an unknown model',
      'vendorC/model-o',
      /"vendorC\/model-o" does not .* Did you mean vendorC\/model-o3\?$/,
    ],
    ['an unknown provider', 'acme/other', /"acme\/other" does not exist .* GET \/v1\/models lists/],
    ['a video model', 'vendorB/gen-v3', /not a text model/],
    ['a model of another provider', 'vendorD/text-large', /offered on POST \/v1\/messages/],
    ['a model that the catalog takes away from here', CHAT_MODEL, /offered on POST \/v1\/messages/],
  ])('%s', async (_name, model, said) => {
    const answer = await textClientOf(api, api.tenant).responses(response('hello', { model }))
    const expected = { type: 'not_found_error', code: 'model_not_found', param: 'model' }
    expectResponsesError(answer, { status: 404, ...expected, message: said })
  })
})
