import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf } from '../call-assets.ts'

describe('GET /v1/video/assets/{asset_id}', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each([
    'asset_1',
    '%00',
    '%ED%A0%80',
    'a%2Fb',
    "'",
    '..%2F',
    '%20',
    'x'.repeat(5_000),
    `asset_${'0'.repeat(32)}`,
  ])('unknown asset %s', async (id) => {
    const answer = await client.getAsset(id)
    // A path that is not UTF-8 is no address.
    if (answer.status === 400) expectApiError(answer, { status: 400, code: 'malformed_request' })
    else expectApiError(answer, { status: 404, code: 'asset_not_found', message: /^Asset not found\.$/ })
  })
})
