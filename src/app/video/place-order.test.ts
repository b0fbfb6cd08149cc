import { expect, test } from 'vitest'
import { refuseAssets } from '../../../test/api/video/refuse-assets.ts'
import { ApiError } from '../../domain/api-error.ts'
import { builtInModels } from '../../domain/catalog/built-in.ts'
import { videoModelOf } from '../../domain/video/families/families.ts'
import type { ContentItem, MediaKind, VideoRequest } from '../../domain/video/request.ts'
import type { AssetResolver } from '../../ports/asset-store.ts'
import { placeOrder } from './place-order.ts'

const TEXT: ContentItem = { kind: 'text', text: 'a cat', role: undefined, index: 0 }
const image = (url: string, index: number) => media('image', url, index)
const media = (kind: MediaKind, url: string, index: number): ContentItem => ({
  kind,
  url,
  role: undefined,
  tag: undefined,
  timeStampSeconds: undefined,
  index,
})

const prices = {
  offeredNames: () => [],
  findVideoModel: (name: string) => videoModelOf({ name }),
  findModel: (name: string) => builtInModels(0).find((model) => model.name === name),
}
const place = (items: ContentItem[], assets: AssetResolver, model = 'vendorA/gen-2.0') =>
  placeOrder(request(model, items), 'org_1', { prices, assets })

test('assets are looked up for the organization and the provider, and replaced by their URLs', async () => {
  const asked: unknown[] = []
  const assets: AssetResolver = {
    async resolve(question) {
      asked.push(question)
      return { urls: new Map([[1, 'asset://upstream-1']]), groupIds: ['grp_1'] }
    },
  }
  const placed = await place([TEXT, image('asset://one', 1), image('https://media.example/a', 2)], assets)
  expect(asked).toEqual([
    {
      organizationId: 'org_1',
      provider: 'vendorA',
      request: expect.objectContaining({ model: 'vendorA/gen-2.0' }),
      family: expect.objectContaining({ showsRealPeople: true }),
      references: [{ id: 'one', kind: 'image', index: 1 }],
    },
  ])
  expect(placed).toMatchObject({
    provider: 'vendorA',
    model: { modelId: 1 },
    groupIds: ['grp_1'],
    order: {
      items: [{ kind: 'text' }, { url: 'asset://upstream-1' }, { url: 'https://media.example/a' }],
    },
  })
})

test('a broken rule is reported before an asset is looked up, and an unknown model before that', async () => {
  const assets: AssetResolver = { resolve: () => Promise.reject(new Error('no asset should be looked up')) }
  const audio = media('audio', 'asset://one', 1)
  await expect(place([TEXT, audio], assets)).rejects.toMatchObject({ status: 400 })
  await expect(place([TEXT, audio], assets, 'vendorA/none')).rejects.toMatchObject({
    code: 'model_not_found',
  })
})

test.each(['vendorA/gen-3', 'vendorC/model-4.1', 'constructor', ' vendorA/gen-2.0'])(
  '404 for the model %j',
  async (model) => {
    await expect(place([TEXT], refuseAssets, model)).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    })
  },
)

test('without an asset service no asset can be used', async () => {
  const refused = place([TEXT, image('https://media.example/a', 1), image('asset://one', 2)], refuseAssets)
  await expect(refused).rejects.toBeInstanceOf(ApiError)
  await expect(refused).rejects.toMatchObject({ code: 'asset_not_usable', param: 'content[2].image_url.url' })
})

function request(model: string, items: ContentItem[]): VideoRequest {
  return {
    model,
    items,
    taskType: undefined,
    durationSeconds: undefined,
    ratio: undefined,
    resolution: undefined,
    seed: undefined,
    framesPerSecond: undefined,
    generateAudio: undefined,
    draft: undefined,
    serviceTier: undefined,
    callbackUrl: undefined,
    executionExpiresAfterSeconds: undefined,
    metadata: '{}',
  }
}
