import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf } from '../call-assets.ts'

describe('POST /v1/video/assets/sessions', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  test.each<[string, Parameters<VideoApi['vendors']['breakDown']>[0]['fault']]>([
    ['is broken', { kind: 'status', status: 500 }],
    ['refuses our key', { kind: 'status', status: 401 }],
    ['talks nonsense', { kind: 'garbage' }],
    ['hangs up', { kind: 'lose-answer' }],
  ])('the vendor %s', async (_name, fault) => {
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'create-session', times: 1, fault })
    const refused = await client.startSession()
    expectApiError(refused, { status: 502, code: 'upstream_error' })
    expect(refused.body).toMatchObject({ error: { type: 'upstream_error' } })
  })
})
