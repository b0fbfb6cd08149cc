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

  test('a key whose request has no answer is in use, and nothing is sent again', async () => {
    await api.vendors.breakDown({ operation: 'create', times: 1, fault: { kind: 'lose-answer' } })
    expectApiError(await client.create(textBody(), 'lost'), { status: 503, code: 'provider_unavailable' })
    expectApiError(await client.create(textBody(), 'lost'), { status: 409, code: 'idempotency_key_in_use' })
    expectApiError(await client.create(textBody('other'), 'lost'), {
      status: 422,
      code: 'idempotency_key_reused',
    })
    expect(await api.vendors.requests()).toEqual(['vendor-a create'])
  })

  test('of twenty equal concurrent requests, one is sent; the others get its task or 409', async () => {
    const before = (await api.vendors.requests()).length
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.create(textBody(), 'crowd')))
    for (const answer of answers) {
      if (answer.status !== 200) expectApiError(answer, { status: 409, code: 'idempotency_key_in_use' })
    }
    const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(1)
    expect((await api.vendors.requests()).slice(before)).toEqual(['vendor-a create'])
    await api.expectSound()
  })
})
