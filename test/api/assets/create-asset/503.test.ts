import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../../src/domain/api-error.ts'
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

  const FAULTS: [string, Parameters<VideoApi['vendors']['breakDown']>[0]['fault']][] = [
    ['is broken', { kind: 'status', status: 500 }],
    ['talks nonsense', { kind: 'garbage' }],
    ['hangs up', { kind: 'lose-answer' }],
  ]

  test.each(FAULTS)('the vendor %s', async (_name, fault) => {
    const client = assetClientOf(api, await api.openTenant())
    await client.make()
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'create-asset', times: 1, fault })
    expectApiError(await client.upload(), { status: 503, code: 'provider_unavailable' })
    expect(await client.listAssets()).toMatchObject({ body: { total_count: 1 } })
  })

  test.each(FAULTS)('the vendor %s at the default group; a retry makes it', async (_name, fault) => {
    const client = assetClientOf(api, await api.openTenant())
    await api.vendors.breakDown({ part: 'vendor-a-assets', operation: 'create-group', times: 1, fault })
    expectApiError(await client.upload(), { status: 503, code: 'provider_unavailable' })
    await client.make()
  })

  test('no asset service is configured', async () => {
    const bare = await startVideoApi({ withoutAssets: true })
    onTestFinished(() => bare.close())
    const client = assetClientOf(bare, bare.tenant)
    expectApiError(await client.upload(), { status: 503, code: 'provider_not_configured' })
    expectApiError(await client.upload({}), { status: 400, code: 'missing_parameter' })
  })

  test('the store is unreachable', async () => {
    const away = () => Promise.reject(new ApiError('store_unavailable'))
    const broken = await startVideoApi({
      around: (store) => ({ ...store, assets: { ...store.assets, create: away } }),
    })
    onTestFinished(() => broken.close())
    const client = assetClientOf(broken, broken.tenant)
    expectApiError(await client.upload(), { status: 503, code: 'store_unavailable' })
  })
})
