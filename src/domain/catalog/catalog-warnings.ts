import { videoModelOf } from '../video/families/families.ts'
import { choosePrice } from './choose-price.ts'
import { isVideoModel } from './endpoints-of.ts'
import type { PricedModel } from './model.ts'
import type { PriceUnit } from './price-row.ts'

/** Why clients will be turned away although the model is listed; empty when it can be served. */
export function catalogWarnings(model: PricedModel): string[] {
  return isVideoModel(model) ? videoWarnings(model) : textWarnings(model)
}

const TEXT_UNITS: readonly PriceUnit[] = ['input_token', 'output_token']

/** What a text model cannot be sold without. */
function textWarnings({ prices }: PricedModel): string[] {
  return TEXT_UNITS.filter((unit) => !prices.some((row) => row.unit === unit)).map(
    (unit) => `no price for ${unit}: clients get 503`,
  )
}

/** What a client leaves out counts as 720p without sound. */
function videoWarnings({ prices, ...row }: PricedModel): string[] {
  const model = videoModelOf(row)
  if (model === undefined) return ['no such video model is known: clients get 404']
  const unit = model.family.priceUnit
  if (!prices.some((row) => row.unit === unit)) return [`no price for ${unit}: clients get 503`]
  return [false, true]
    .filter((videoInput) => {
      return choosePrice(prices, { unit, resolution: '720p', videoInput, audio: false }) === undefined
    })
    .map(
      (videoInput) =>
        `no price fits 720p ${videoInput ? 'with' : 'without'} video input: clients who ask for it get 503`,
    )
}
