import { ApiError } from '../../domain/api-error.ts'
import { chooseVideoPrice, type VideoUse } from '../../domain/billing/estimate-video-cost.ts'
import { estimateVideoSeconds, estimateVideoTokens } from '../../domain/billing/estimate-video-tokens.ts'
import type { PriceRow } from '../../domain/catalog/price-row.ts'
import type { TaskPricing } from '../../domain/video/cost-of-task.ts'

/** The price a video is sold at, and what it is likely to come to. A model without a price is refused, never free. */
export function priceTask(prices: readonly PriceRow[], use: VideoUse): TaskPricing {
  const price = chooseVideoPrice(prices, use)
  if (price === undefined) throw new ApiError('model_not_priced')
  const { priceMicros } = price
  return use.unit === 'second'
    ? { unit: 'second', priceMicros, estimatedSeconds: estimateVideoSeconds(use) }
    : { unit: 'video_token', priceMicros, estimatedTokens: estimateVideoTokens(use) }
}
