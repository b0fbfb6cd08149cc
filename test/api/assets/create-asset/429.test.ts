import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { assetClientOf } from '../call-assets.ts'

describe('POST /v1/video/assets', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  test.each(['create-group', 'create-asset'])('the vendor is busy: %s', async (operation) => {
    const client = assetClientOf(api, await api.openTenant())
    const fault = { kind: 'status', status: 429 } as const
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation, times: 1, fault })
    expectApiError(await client.upload(), { status: 429, code: 'upstream_busy' })
    // The fault applies to one call, so the next upload succeeds.
    await client.make()
  })

  test('the key is over its rate', async () => {
    const client = assetClientOf(api, await api.openTenant({ requestsPerMinute: 1 }))
    await client.make()
    expectApiError(await client.upload(), { status: 429, code: 'rate_limit_exceeded' })
  })
})
