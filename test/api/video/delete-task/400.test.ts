import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('DELETE /v1/video/generations/{task_id}', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each(['', '[instant]'])('a task of family B cannot be deleted: %j', async (words) => {
    const id = await client.make(textBodyB(words))
    const refused = { status: 400, code: 'task_not_deletable', message: /cannot be deleted/ }
    expectApiError(await client.delete(id), refused)
    await client.get(id)
    expectApiError(await client.delete(id), refused)
    expect(await client.get(id)).toMatchObject({ status: 200 })
  })

  test('a running task that the vendor keeps stays as it is', async () => {
    const tenant = await api.openTenant()
    const mine = clientOf(api, tenant)
    const id = await mine.make(textBody())
    api.passSeconds(30)
    expectApiError(await mine.delete(id), {
      status: 400,
      code: 'task_not_deletable',
      message: /cannot be deleted/,
    })
    expect(await mine.list()).toMatchObject({ body: { data: [{ id, status: 'running' }] } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 762_300 })
    api.passSeconds(90)
    expect(await mine.get(id)).toMatchObject({ body: { status: 'succeeded' } })
  })
})
