import { describe, onTestFinished, test } from 'vitest'
import { assetClientOf } from '../../../test/assets/call-assets.ts'
import { expectRefusal } from '../../../test/video-api/call-api.ts'
import { startVideoApi } from '../../../test/video-api/start-video-api.ts'
import { Refusal } from '../../domain/refusal.ts'

describe('GET /v1/video/assets/{asset_id}', () => {
  test('nobody configured an asset service', async () => {
    const api = await startVideoApi({ withoutAssets: true })
    onTestFinished(() => api.close())
    const refused = await assetClientOf(api, api.tenant).getAsset('asset_1')
    expectRefusal(refused, { status: 503, code: 'provider_not_configured', message: /asset service/ })
  })

  test('the store is away', async () => {
    const away = () => Promise.reject(new Refusal('store_unavailable'))
    const api = await startVideoApi({
      around: (store) => ({ ...store, assets: { ...store.assets, find: away } }),
    })
    onTestFinished(() => api.close())
    const refused = await assetClientOf(api, api.tenant).getAsset('asset_1')
    expectRefusal(refused, { status: 503, code: 'store_unavailable' })
  })
})
