import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import { catalogWarnings } from '../../domain/catalog/catalog-warnings.ts'
import { type CatalogEntry, type PricedModel, targetLabel } from '../../domain/catalog/model.ts'
import { modelConflict } from '../../domain/catalog/model-conflict.ts'
import { orderPrices } from '../../domain/catalog/order-prices.ts'
import { priceLabel } from '../../domain/catalog/price-row.ts'
import { routeConflict } from '../../domain/catalog/route-conflict.ts'
import { unknownFallback, unusableStandIn } from '../../domain/catalog/unknown-model.ts'
import { videoModelOf } from '../../domain/video/families/families.ts'

export interface PlannedModel {
  /** As it will be. */
  model: PricedModel
  change: 'new' | 'changed' | 'unchanged'
  differences: readonly Difference[]
  /** Why it cannot be served as it will be. */
  warnings: readonly string[]
}

/** `from` is null for what was not there before, `to` for what is taken away. Prices are decimal US dollars. */
export interface Difference {
  what: string
  from: string | null
  to: string | null
}

/** `second, resolution=720p: 0.14 -> 0.15`; what is new or gone is said in words. */
export function tellDifference({ what, from, to }: Difference): string {
  const nothing = what === 'endpoints' ? 'default' : 'none'
  return `${what}: ${from ?? nothing} -> ${to ?? nothing}`
}

/** Compares a catalog file with the store, model by model. Throws the `ApiError` of the first that cannot be. */
export function planCatalog(
  entries: readonly CatalogEntry[],
  { stored, nowMs }: { stored: readonly PricedModel[]; nowMs: number },
): PlannedModel[] {
  const planned = entries.map((entry) => {
    const before = stored.find(({ name }) => name === entry.name)
    return { entry, before, model: fillIn(entry, before, nowMs) }
  })
  const names = new Set(entries.map(({ name }) => name))
  const catalog = [...stored.filter(({ name }) => !names.has(name)), ...planned.map(({ model }) => model)]
  const isKnown = (name: string) => catalog.some((model) => model.name === name)
  const isVideo = (name: string) =>
    catalog.some((model) => model.name === name && videoModelOf(model) !== undefined)
  return planned.map(({ entry, before, model }) => {
    const conflict =
      modelConflict(entry, stored) ??
      unknownFallback(entry, isKnown) ??
      unusableStandIn(model, isVideo) ??
      routeConflict(model, catalog)
    if (conflict !== undefined) throw conflict
    const differences = compare(before, model)
    const told = { model, differences, warnings: catalogWarnings(model) }
    if (before === undefined) return { ...told, change: 'new' }
    return { ...told, change: differences.length === 0 ? 'unchanged' : 'changed' }
  })
}

/** What the file leaves out stays as it is, but for the endpoints: those are then the default of the provider. */
function fillIn(entry: CatalogEntry, before: PricedModel | undefined, nowMs: number): PricedModel {
  const fallbacks = entry.fallbacks ?? before?.fallbacks ?? []
  const standIns = entry.standIns ?? before?.standIns ?? []
  const likeModel = entry.likeModel ?? before?.likeModel
  const contextTokens = entry.contextTokens ?? before?.contextTokens
  const fallbackPrice = entry.fallbackPrice ?? before?.fallbackPrice
  const longContextTokens = entry.longContextTokens ?? before?.longContextTokens
  const vendorPrices = orderPrices(entry.vendorPrices ?? before?.vendorPrices ?? [])
  const route = entry.route ?? before?.route ?? []
  const routeBy = entry.routeBy ?? before?.routeBy
  return {
    modelId: entry.modelId,
    name: entry.name,
    endpoints: entry.endpoints,
    maxOutputTokens: entry.maxOutputTokens ?? before?.maxOutputTokens ?? null,
    ...(likeModel === undefined ? {} : { likeModel }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
    ...(fallbackPrice === undefined ? {} : { fallbackPrice }),
    ...(standIns.length === 0 ? {} : { standIns }),
    ...(longContextTokens === undefined ? {} : { longContextTokens }),
    ...(vendorPrices.length === 0 ? {} : { vendorPrices }),
    ...(route.length === 0 ? {} : { route }),
    ...(routeBy === undefined ? {} : { routeBy }),
    createdAtMs: before?.createdAtMs ?? nowMs,
    prices: orderPrices(entry.prices ?? before?.prices ?? []),
  }
}

function compare(before: PricedModel | undefined, after: PricedModel): Difference[] {
  const old = before === undefined ? new Map<string, string>() : facts(before)
  const fresh = facts(after)
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((what) => ({ what, from: old.get(what) ?? null, to: fresh.get(what) ?? null }))
    .filter(({ from, to }) => from !== to)
}

/** Everything about a model that a file can change, as people read it. */
function facts(model: PricedModel): Map<string, string> {
  const { endpoints, maxOutputTokens, contextTokens, longContextTokens, prices } = model
  const { likeModel, fallbacks, fallbackPrice, vendorPrices = [], route, routeBy, standIns } = model
  const told = new Map<string, string>()
  if (endpoints !== null) told.set('endpoints', endpoints.length === 0 ? 'none' : endpoints.join(' '))
  if (likeModel !== undefined) told.set('like', likeModel)
  if (maxOutputTokens !== null) told.set('max_output_tokens', String(maxOutputTokens))
  if (contextTokens !== undefined) told.set('context_tokens', String(contextTokens))
  if (longContextTokens !== undefined) told.set('long_context_tokens', String(longContextTokens))
  if (fallbacks !== undefined) told.set('fallbacks', fallbacks.join(' '))
  if (fallbackPrice !== undefined) told.set('fallback_price', fallbackPrice)
  if (route !== undefined) told.set('route', route.map(targetLabel).join(' '))
  if (routeBy !== undefined) told.set('route_by', routeBy)
  if (standIns !== undefined) told.set('stand_ins', standIns.join(' '))
  for (const row of prices) told.set(priceLabel(row), formatUsdDecimal(row.priceMicros))
  for (const row of vendorPrices) told.set(`vendor ${priceLabel(row)}`, formatUsdDecimal(row.priceMicros))
  return told
}
