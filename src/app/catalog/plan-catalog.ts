import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import { type ModelAlias, takenByAlias } from '../../domain/catalog/alias.ts'
import { catalogWarnings } from '../../domain/catalog/catalog-warnings.ts'
import {
  type CatalogEntry,
  type NextPrices,
  type PricedModel,
  targetLabel,
} from '../../domain/catalog/model.ts'
import { modelConflict } from '../../domain/catalog/model-conflict.ts'
import { orderPrices } from '../../domain/catalog/order-prices.ts'
import { type PriceRow, priceLabel } from '../../domain/catalog/price-row.ts'
import { routeConflict } from '../../domain/catalog/route-conflict.ts'
import { unknownFallback, unusableStandIn, unusableVideoTerms } from '../../domain/catalog/unknown-model.ts'
import { videoModelOf } from '../../domain/video/families/families.ts'

export interface PlannedModel {
  model: PricedModel
  change: 'new' | 'changed' | 'unchanged'
  differences: readonly Difference[]
  /** Reasons why the model cannot be served after the change. */
  warnings: readonly string[]
}

/** `from` is null for an addition, `to` for a removal. Prices are decimal US dollars. */
export interface Difference {
  what: string
  from: string | null
  to: string | null
}

const NOTHING: Readonly<Record<string, string>> = { endpoints: 'default', published: 'yes' }

/** Formats a difference as `second, resolution=720p: 0.14 -> 0.15`. */
export function formatDifference({ what, from, to }: Difference): string {
  const nothing = NOTHING[what] ?? 'none'
  return `${what}: ${from ?? nothing} -> ${to ?? nothing}`
}

/** Compares a catalog file with the store. Throws the `ApiError` of the first model that cannot be applied. */
export function planCatalog(
  entries: readonly CatalogEntry[],
  input: { stored: readonly PricedModel[]; aliases?: readonly ModelAlias[]; nowMs: number },
): PlannedModel[] {
  const { stored, aliases = [], nowMs } = input
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
      (before === undefined ? takenByAlias(entry.name, aliases) : undefined) ??
      unknownFallback(entry, isKnown) ??
      unusableStandIn(model, isVideo) ??
      unusableVideoTerms(model) ??
      routeConflict(model, catalog)
    if (conflict !== undefined) throw conflict
    const differences = compare(before, model)
    const planned = { model, differences, warnings: catalogWarnings(model) }
    if (before === undefined) return { ...planned, change: 'new' }
    return { ...planned, change: differences.length === 0 ? 'unchanged' : 'changed' }
  })
}

function fillIn(entry: CatalogEntry, before: PricedModel | undefined, nowMs: number): PricedModel {
  const isPublished = entry.published ?? before?.isUnpublished !== true
  const vendorPrices = entry.vendorPrices ?? before?.vendorPrices
  return {
    ...priceTerms(entry, before, nowMs),
    modelId: entry.modelId,
    name: entry.name,
    endpoints: entry.endpoints === undefined ? (before?.endpoints ?? null) : entry.endpoints,
    maxOutputTokens: entry.maxOutputTokens ?? before?.maxOutputTokens ?? null,
    likeModel: entry.likeModel ?? before?.likeModel,
    contextTokens: entry.contextTokens ?? before?.contextTokens,
    fallbacks: unlessEmpty(entry.fallbacks ?? before?.fallbacks),
    fallbackPrice: entry.fallbackPrice ?? before?.fallbackPrice,
    standIns: unlessEmpty(entry.standIns ?? before?.standIns),
    longContextTokens: entry.longContextTokens ?? before?.longContextTokens,
    vendorPrices: unlessEmpty(vendorPrices && orderPrices(vendorPrices)),
    route: unlessEmpty(entry.route ?? before?.route),
    routeBy: entry.routeBy ?? before?.routeBy,
    pricesTaken: entry.pricesTaken ?? before?.pricesTaken,
    ends: entry.ends ?? before?.ends,
    bounds: unlessEmpty(entry.bounds ?? before?.bounds),
    watermark: entry.watermark ?? before?.watermark,
    isUnpublished: isPublished ? undefined : true,
    createdAtMs: before?.createdAtMs ?? nowMs,
  }
}

/** Plans prices with a later date, one list per model. A plan of the prices in force cancels an earlier plan. */
function priceTerms(
  { prices: given, pricesFromMs: fromMs }: CatalogEntry,
  before: PricedModel | undefined,
  nowMs: number,
): { prices: PriceRow[]; nextPrices: NextPrices | undefined } {
  const isPlanned = given !== undefined && fromMs !== undefined && fromMs > nowMs
  const prices = orderPrices((isPlanned ? undefined : given) ?? before?.prices ?? [])
  const next = isPlanned ? { fromMs, prices: orderPrices(given) } : before?.nextPrices
  const isSame = next && priceTexts(next.prices).join() === priceTexts(prices).join()
  return { prices, nextPrices: isSame ? undefined : next }
}

function priceTexts(prices: readonly PriceRow[]): string[] {
  return prices.map((row) => `${priceLabel(row)}: ${formatUsdDecimal(row.priceMicros)}`)
}

function unlessEmpty<Value extends object>(value: Value | undefined): Value | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : value
}

function compare(before: PricedModel | undefined, after: PricedModel): Difference[] {
  const old = before === undefined ? new Map<string, string>() : factsOf(before)
  const fresh = factsOf(after)
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((what) => ({ what, from: old.get(what) ?? null, to: fresh.get(what) ?? null }))
    .filter(({ from, to }) => from !== to)
}

/** Returns everything about a model that a file can change, as text for people. */
function factsOf(model: PricedModel): Map<string, string> {
  const { endpoints, maxOutputTokens, contextTokens, longContextTokens, prices } = model
  const { likeModel, fallbacks, fallbackPrice, vendorPrices = [], route, routeBy, standIns } = model
  const facts = new Map<string, string>()
  if (endpoints !== null) facts.set('endpoints', endpoints.length === 0 ? 'none' : endpoints.join(' '))
  if (likeModel !== undefined) facts.set('like', likeModel)
  if (maxOutputTokens !== null) facts.set('max_output_tokens', String(maxOutputTokens))
  if (contextTokens !== undefined) facts.set('context_tokens', String(contextTokens))
  if (longContextTokens !== undefined) facts.set('long_context_tokens', String(longContextTokens))
  if (fallbacks !== undefined) facts.set('fallbacks', fallbacks.join(' '))
  if (fallbackPrice !== undefined) facts.set('fallback_price', fallbackPrice)
  if (route !== undefined) facts.set('route', route.map(targetLabel).join(' '))
  if (routeBy !== undefined) facts.set('route_by', routeBy)
  if (standIns !== undefined) facts.set('stand_ins', standIns.join(' '))
  if (model.pricesTaken !== undefined) facts.set('prices_taken', model.pricesTaken)
  if (model.ends !== undefined) facts.set('ends', model.ends)
  if (model.bounds !== undefined) facts.set('bounds', JSON.stringify(model.bounds))
  if (model.watermark !== undefined) facts.set('watermark', model.watermark)
  if (model.isUnpublished) facts.set('published', 'no')
  for (const row of prices) facts.set(priceLabel(row), formatUsdDecimal(row.priceMicros))
  const { fromMs = 0, prices: next = [] } = model.nextPrices ?? {}
  const from = new Date(fromMs).toISOString()
  for (const row of next) facts.set(`${priceLabel(row)} from ${from}`, formatUsdDecimal(row.priceMicros))
  for (const row of vendorPrices) facts.set(`vendor ${priceLabel(row)}`, formatUsdDecimal(row.priceMicros))
  return facts
}
