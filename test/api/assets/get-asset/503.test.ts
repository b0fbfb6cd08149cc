import { describe, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../../src/domain/api-error.ts'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi } from '../../video/start-video-api.ts'
import { assetClientOf } from '../call-assets.ts'

describe('GET /v1/video/assets/{asset_id}', () => {
  test('no asset service is configured', async () => {
    const api = await startVideoApi({ withoutAssets: true })
    onTestFinished(() => api.close())
    const refused = await assetClientOf(api, api.tenant).getAsset('asset_1')
    expectApiError(refused, { status: 503, code: 'provider_not_configured', message: /asset service/ })
  })

  test('the store is unreachable', async () => {
    const away = () => Promise.reject(new ApiError('store_unavailable'))
    const api = await startVideoApi({
      around: (store) => ({ ...store, assets: { ...store.assets, find: away } }),
    })
    onTestFinished(() => api.close())
    const refused = await assetClientOf(api, api.tenant).getAsset('asset_1')
    expectApiError(refused, { status: 503, code: 'store_unavailable' })
  })
})
