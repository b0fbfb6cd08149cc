import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { endpointsOf } from '../../domain/catalog/endpoints-of.ts'
import { exampleCost } from '../../domain/catalog/example-cost.ts'
import type { PricedModel } from '../../domain/catalog/model.ts'
import { amountNameOf, type PriceRow } from '../../domain/catalog/price-row.ts'
import { json } from '../../domain/json/json-schema.ts'
import type { PlannedModel } from '../catalog/plan-catalog.ts'
import { answer, shown } from './present.ts'
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

export const ALIAS = answer({
  alias: shown.text(),
  model: shown.text(),
  organization_id: json.nullable(json.string({ description: 'null: for every organization.' })),
})

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

export const PLAN = answer({
  model_id: shown.count(),
  name: shown.text(),
  change: json.oneOf(['new', 'changed', 'unchanged']),
  differences: json.array(
    json.object({ what: shown.text(), from: shown.textOrNull(), to: shown.textOrNull() }),
  ),
  warnings: json.array(shown.text()),
}).from(({ model, ...plan }: PlannedModel) => ({ ...model, ...plan }))
