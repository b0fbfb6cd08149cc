import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { endpointsOf } from '../../domain/catalog/endpoints-of.ts'
import { exampleCost } from '../../domain/catalog/example-cost.ts'
import type { PricedModel } from '../../domain/catalog/model.ts'
import { amountNameOf, type PriceRow } from '../../domain/catalog/price-row.ts'
import type { PlannedModel } from '../catalog/plan-catalog.ts'
import { presentTime } from './times.ts'

export function modelJson(model: PricedModel) {
  const example = exampleCost(model)
  return {
    model_id: model.modelId,
    name: model.name,
    like: model.likeModel ?? null,
    endpoints: endpointsOf(model),
    max_output_tokens: model.maxOutputTokens,
    context_tokens: model.contextTokens ?? null,
    long_context_tokens: model.longContextTokens ?? null,
    fallbacks: model.fallbacks ?? [],
    fallback_price: model.fallbackPrice ?? null,
    route: (model.route ?? []).map(({ model: name, weight }) => ({ model: name, weight })),
    route_by: model.routeBy ?? null,
    stand_ins: model.standIns ?? [],
    bounds: model.bounds ?? null,
    watermark: model.watermark ?? null,
    published: model.isUnpublished !== true,
    prices: model.prices.map(priceJson),
    next_prices:
      model.nextPrices === undefined
        ? null
        : { from: presentTime(model.nextPrices.fromMs), prices: model.nextPrices.prices.map(priceJson) },
    vendor_prices: (model.vendorPrices ?? []).map(priceJson),
    prices_taken: model.pricesTaken ?? null,
    example: example === undefined ? null : { request: example.request, cost_micros: example.costMicros },
  }
}

export function aliasJson({ alias, model, organizationId }: ModelAlias) {
  return { alias, model, organization_id: organizationId }
}

export function aliasesOf({ name }: PricedModel, aliases: readonly ModelAlias[]) {
  return aliases
    .filter(({ model }) => model === name)
    .map(({ alias, organizationId }) => ({ alias, organization_id: organizationId }))
}

/** Presents a price row like a catalog file, with every attribute: null is "any". */
export function priceJson({ unit, resolution, videoInput, audio, priceMicros }: PriceRow) {
  return {
    unit,
    resolution,
    video_input: videoInput,
    audio,
    [amountNameOf(unit)]: Number(formatUsdDecimal(priceMicros)),
  }
}

export function planJson({ model, change, differences, warnings }: PlannedModel) {
  return { model_id: model.modelId, name: model.name, change, differences, warnings }
}
