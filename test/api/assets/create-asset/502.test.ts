import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf, IMAGE } from '../call-assets.ts'

const GONE = {
  ResponseMetadata: { RequestId: '1', Error: { Code: 'NotFound.group_id', Message: 'group-of-the-vendor' } },
}

describe('POST /v1/video/assets', () => {
  let api: VideoApi
  let client: AssetClient
  let group: string
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
    group = await client.verify()
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  test.each<[string, Parameters<VideoApi['vendors']['breakDown']>[0]['fault']]>([
    ['is broken', { kind: 'status', status: 500 }],
    ['talks nonsense', { kind: 'garbage' }],
    ['hangs up', { kind: 'lose-answer' }],
    ['no longer knows the person', { kind: 'status', status: 404, body: GONE }],
  ])('for the group of a person, when the vendor %s', async (_name, fault) => {
    const asked = (await api.vendors.requests()).length
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'create-asset', times: 1, fault })
    const refused = await client.upload({ ...IMAGE, group_id: group })
    expectApiError(refused, { status: 502, code: 'upstream_error' })
    expect(refused.body).toMatchObject({ error: { type: 'upstream_error' } })
    expect(JSON.stringify(refused.body)).not.toContain('group-of-the-vendor')
    // The vendor is called once, and no new group is made for a person.
    expect((await api.vendors.requests()).slice(asked)).toEqual(['vendor-a-assets create-asset'])
    expect(await client.listAssets(`?group_id=${group}`)).toMatchObject({ body: { total_count: 0 } })
  })
})
