import { requireAllowedModel } from '../../domain/access/allowed-models.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { chooseVideoPrice } from '../../domain/billing/estimate-video-cost.ts'
import { estimateVideoSeconds, estimateVideoTokens } from '../../domain/billing/estimate-video-tokens.ts'
import { endpointsOf } from '../../domain/catalog/endpoints-of.ts'
import { type PricedModel, splitModelName } from '../../domain/catalog/model.ts'
import { notOfferedOn, unknownModel } from '../../domain/catalog/unknown-model.ts'
import { assetReferences, withResolvedUrls } from '../../domain/video/asset-references.ts'
import type { TaskPricing } from '../../domain/video/cost-of-task.ts'
import { type VideoOrder, videoModelOf } from '../../domain/video/families/families.ts'
import type { FamilyRow, PreparedOrder } from '../../domain/video/families/family.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import type { AssetResolver } from '../../ports/asset-store.ts'
import type { PriceBook } from '../catalog/price-book.ts'

export interface PlacedOrder extends PreparedOrder<VideoOrder> {
  family: FamilyRow
  provider: string
  model: PricedModel
  groupIds: readonly string[]
}

type Prices = Pick<PriceBook, 'findModel' | 'findVideoModel' | 'offeredNames'>

/** Returns the request with the model's own name, or throws 403 when the caller's key may not use the model. */
export async function withModelName(
  request: VideoRequest,
  caller: Caller,
  prices: Pick<PriceBook, 'findModel'>,
): Promise<VideoRequest> {
  const { model: asked } = request
  const model = requireAllowedModel(caller, asked, await prices.findModel(asked, caller.organizationId))
  return model === asked ? request : { ...request, model, alias: asked }
}

/** Returns the order for a request, or throws 404 for its model, then 400 for the model's rules and the assets. */
export async function placeOrder(
  request: VideoRequest,
  organizationId: string,
  { prices, assets }: { prices: Prices; assets: AssetResolver },
): Promise<PlacedOrder> {
  const model = await prices.findModel(request.model, organizationId)
  const videoModel = model && videoModelOf(model)
  if (model !== undefined && endpointsOf(model).length > 0 && videoModel === undefined)
    throw notOfferedOn('video', model)
  if (model === undefined || videoModel === undefined)
    throw unknownModel(request.model, videoNames(prices, organizationId))
  const { provider } = splitModelName(request.model)
  const { family, prepare } = videoModel
  const prepared = prepare(request)
  const references = assetReferences(request)
  if (references.length === 0) return { ...prepared, family, provider, model, groupIds: [] }
  const { urls, groupIds } = await assets.resolve({ organizationId, request, family, references, provider })
  return { ...prepare(withResolvedUrls(request, urls)), family, provider, model, groupIds }
}

function videoNames(
  prices: Pick<PriceBook, 'findVideoModel' | 'offeredNames'>,
  organizationId: string,
): string[] {
  return prices
    .offeredNames(organizationId)
    .filter((name) => prices.findVideoModel(name, organizationId) !== undefined)
}

/** Returns the price of a video and its likely usage. A model without a price is refused, never free. */
export function priceOrder({ model, use }: PlacedOrder): TaskPricing {
  const price = chooseVideoPrice(model.prices, use)
  if (price === undefined) throw new ApiError('model_not_priced')
  const { priceMicros } = price
  return use.unit === 'second'
    ? { unit: 'second', priceMicros, estimatedSeconds: estimateVideoSeconds(use) }
    : {
        unit: 'video_token',
        priceMicros,
        estimatedTokens: estimateVideoTokens(use),
        seconds: estimateVideoSeconds(use),
      }
}
