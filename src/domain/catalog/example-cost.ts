import { estimateVideoCost } from '../billing/estimate-video-cost.ts'
import type { Micros } from '../billing/micros.ts'
import { costOfText, textPricesOf, tokenPricesOf } from '../billing/text-prices.ts'
import { kindOf } from './endpoints-of.ts'
import type { PricedModel } from './model.ts'
import type { PriceRow } from './price-row.ts'

/** Cost of one plain request, which makes a price that is wrong by a factor of ten obvious. */
export interface ExampleCost {
  request: string
  costMicros: Micros
}

/** undefined: the model has no price for a plain request, which answers 503. */
export function exampleCost(model: PricedModel): ExampleCost | undefined {
  const { prices } = model
  if (kindOf(model) === 'embedding') return embeddingsExample(model)
  const textMicros = plainTextCost(prices)
  if (textMicros !== undefined) return { request: '1,000 tokens in, 1,000 out', costMicros: textMicros }
  const videoMicros = plainVideoCost(prices)
  return videoMicros === undefined ? undefined : { request: '5 s at 720p', costMicros: videoMicros }
}

function embeddingsExample(model: PricedModel): ExampleCost | undefined {
  const found = tokenPricesOf(model)
  if (found === undefined) return undefined
  const tokens = { input: 1_000, cachedInput: 0, cacheWrite: 0, output: 0 }
  return { request: '1,000 tokens in', costMicros: costOfText(found, tokens) }
}

function plainTextCost(prices: readonly PriceRow[]): Micros | undefined {
  const found = textPricesOf(prices)
  if (found === undefined) return undefined
  return costOfText(found, { input: 1_000, cachedInput: 0, cacheWrite: 0, output: 1_000 })
}

function plainVideoCost(prices: readonly PriceRow[]): Micros | undefined {
  const unit = prices.some((row) => row.unit === 'second') ? 'second' : 'video_token'
  return estimateVideoCost(prices, {
    unit,
    resolution: undefined,
    ratio: undefined,
    seconds: undefined,
    referenceSeconds: [],
    audio: false,
  })
}
