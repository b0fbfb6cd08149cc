import { choosePrice } from '../catalog/choose-price.ts'
import type { PriceRow } from '../catalog/price-row.ts'
import { costOfSeconds, costOfTokens } from './cost.ts'
import { DEFAULT_RESOLUTION, estimateVideoSeconds, estimateVideoTokens } from './estimate-video-tokens.ts'
import type { Micros } from './micros.ts'

/** The part of a request that decides its price; undefined where the client left it out. */
export interface VideoUse {
  unit: 'video_token' | 'second'
  resolution: string | undefined
  ratio: string | undefined
  seconds: number | undefined
  /** Length of each video reference; null: unknown. */
  referenceSeconds: readonly (number | null)[]
  audio: boolean
}

/** Money to hold before a video is made; undefined: the model has no price for it. */
export function estimateVideoCost(prices: readonly PriceRow[], use: VideoUse): Micros | undefined {
  const price = chooseVideoPrice(prices, use)
  if (price === undefined) return undefined
  return use.unit === 'second'
    ? costOfSeconds({ seconds: estimateVideoSeconds(use), perSecondMicros: price.priceMicros })
    : costOfTokens([{ tokens: estimateVideoTokens(use), perMillionMicros: price.priceMicros }])
}

/** The price row that applies from the estimate to the settlement. */
export function chooseVideoPrice(prices: readonly PriceRow[], use: VideoUse): PriceRow | undefined {
  return choosePrice(prices, {
    unit: use.unit,
    resolution: use.resolution ?? DEFAULT_RESOLUTION,
    videoInput: use.referenceSeconds.length > 0,
    audio: use.audio,
  })
}
