import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Client, clientOf, expectApiError } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('DELETE /v1/video/generations/{task_id}', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each(['task_1', '%00', "'", '%20', `task_${'0'.repeat(32)}`])('there is no task %s', async (id) => {
    expectApiError(await client.delete(id), {
      status: 404,
      code: 'task_not_found',
      message: /^Task not found\.$/,
    })
  })
})
