import { videoModelOf } from '../video/families/families.ts'
import { choosePrice } from './choose-price.ts'
import { kindOf } from './endpoints-of.ts'
import type { PricedModel } from './model.ts'
import type { PriceUnit } from './price-row.ts'

/** Reasons why clients are refused although the catalog has the model; empty when it can be served. */
export function catalogWarnings(model: PricedModel): string[] {
  const kind = kindOf(model)
  return kind === 'video' ? videoWarnings(model) : tokenWarnings(model, kind)
}

const UNITS: Readonly<Record<'text' | 'embedding', readonly PriceUnit[]>> = {
  text: ['input_token', 'output_token'],
  embedding: ['input_token'],
}

function tokenWarnings({ prices }: PricedModel, kind: keyof typeof UNITS): string[] {
  return UNITS[kind]
    .filter((unit) => !prices.some((row) => row.unit === unit))
    .map((unit) => `no price for ${unit}: clients get 503`)
}

/** Options that a client leaves out count as 720p without sound. */
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
