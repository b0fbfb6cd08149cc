import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('POST /v1/video/generations', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, await api.openTenant({ creditMicros: 0 }))
  })
  afterAll(() => api.close())

  test.each([
    'vendorA/gen-9',
    'gen-2.0',
    'vendorA/gen-2.0 ',
    'VENDORA/gen-2.0',
    '__proto__',
    'vendorC/model-4.1',
  ])('there is no video model %j', async (model) => {
    const answer = await client.create(textBody('', { model }))
    expectApiError(answer, { status: 404, code: 'model_not_found', param: 'model' })
  })

  test.each([
    ['vendorA/gen-2.', 'Did you mean vendorA/gen-2.0?'],
    // No text model is advised here.
    ['vendorC/model-4.', 'GET /v1/models lists the models you can use.'],
  ])('%s: the refusal names it and says "%s"', async (model, advice) => {
    const { body } = await client.create(textBody('', { model }))
    const message = `The model "${model}" does not exist or is not offered here. ${advice}`
    expect(body).toMatchObject({ error: { message } })
  })

  test.each(['/v1/video/generations', '/v1/video/quotes'])('a text model on POST %s', async (path) => {
    const { status, body } = await client.call('POST', path, {
      body: textBody('', { model: 'vendorC/model-4.1' }),
    })
    expect(status).toBe(404)
    expect(body.error).toEqual({
      message:
        'The model vendorC/model-4.1 is not a video model. It is offered on POST /v1/messages and POST /v1/responses and POST /v1/chat/completions.',
      type: 'not_found_error',
      param: 'model',
      code: 'model_not_found',
    })
  })
})
