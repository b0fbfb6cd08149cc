import { chooseVideoPrice, type VideoUse } from '../../domain/billing/estimate-video-cost.ts'
import { estimateVideoSeconds } from '../../domain/billing/estimate-video-seconds.ts'
import { estimateVideoTokens } from '../../domain/billing/estimate-video-tokens.ts'
import type { PriceRow } from '../../domain/catalog/price-row.ts'
import { Refusal } from '../../domain/refusal.ts'
import { estimateInput } from '../../domain/video/estimate-input.ts'
import type { VideoOrder } from '../../domain/video/order.ts'
import type { TaskPricing } from '../../domain/video/pricing.ts'

/** The price an order is taken at, and what it is likely to come to. A model without a price is refused, never free. */
export function priceTask(prices: readonly PriceRow[], order: VideoOrder): TaskPricing {
  const use = useOf(order)
  const price = chooseVideoPrice(prices, use)
  if (price === undefined) throw new Refusal('model_not_priced')
  const { priceMicros } = price
  return use.unit === 'second'
    ? { unit: 'second', priceMicros, estimatedSeconds: estimateVideoSeconds(use) }
    : { unit: 'video_token', priceMicros, estimatedTokens: estimateVideoTokens(use) }
}

function useOf(order: VideoOrder): VideoUse {
  const { resolution, ratio, seconds, audio } = estimateInput(order)
  return {
    unit: order.family === 'a' ? 'video_token' : 'second',
    resolution,
    ratio,
    seconds,
    // Nobody downloads a reference to see how long it is.
    referenceSeconds: Array.from({ length: videoReferences(order) }, () => null),
    audio: audio ?? false,
  }
}

function videoReferences(order: VideoOrder): number {
  return order.family === 'a'
    ? order.items.filter(({ kind }) => kind === 'video').length
    : Number(estimateInput(order).hasVideoInput)
}
