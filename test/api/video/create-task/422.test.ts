import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('POST /v1/video/generations', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each<[string, object]>([
    ['another prompt', textBody('asleep')],
    ['another option', textBody('', { duration: 5 })],
    ['an unknown field', textBody('', { something: 1 })],
  ])('the key of a request is refused with another body: %s', async (name, body) => {
    expect(await client.create(textBody(), name)).toMatchObject({ status: 200 })
    expectApiError(await client.create(body, name), { status: 422, code: 'idempotency_key_reused' })
  })

  test('createTask 422: different numbers beyond 2^53 make a different body, even if they round to the same value', async () => {
    const bodyWith = (number: string) =>
      `{"model":"vendorA/gen-2.0","content":[{"type":"text","text":"a cat"}],"metadata":{"order":${number}}}`
    const first = await client.create(bodyWith('9007199254740992'), 'large')
    expect(first).toMatchObject({ status: 200 })
    expectApiError(await client.create(bodyWith('9007199254740993'), 'large'), {
      status: 422,
      code: 'idempotency_key_reused',
    })
    const again = await client.create(bodyWith('9007199254740992'), 'large')
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } })
  })
})
