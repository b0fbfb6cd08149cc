import { createRequire } from 'node:module'
import { readCatalogFile } from '../../src/config/catalog/load-catalog.ts'
import { mergeCatalog } from '../../src/config/presets/merge-presets.ts'
import { loadPresets } from '../../src/config/presets/presets.ts'
import type { CatalogEntry } from '../../src/domain/catalog/model.ts'
import type { PriceUnit } from '../../src/domain/catalog/price-row.ts'

/** The parts of `@pydantic/genai-prices` that are read; prices are for a million tokens, or a thousand calls. */
interface PriceList {
  findProvider(query: { providerId: string }): { models: ListedModel[] } | undefined
}

interface ListedModel {
  id: string
  prices: ListedPrices | { constraint?: Constraint; prices: ListedPrices }[]
}

type ListedPrices = Readonly<Record<string, ListedPrice | undefined>>
type ListedPrice = number | { base: number; tiers: readonly { start: number; price: number }[] }
type Constraint = { type: 'start_date'; start_date: string } | { type: 'time_of_date' }

const { findProvider } = createRequire(import.meta.url)('@pydantic/genai-prices') as PriceList

/** Providers of the package whose names are not those of our presets. */
const PROVIDERS: Readonly<Record<string, string>> = { xai: 'x-ai' }
/** Models of the package whose names are not those that clients use. */
const MODELS: Readonly<Record<string, string>> = { 'grok-4': 'grok-4-0709' }

/** Units of text with the package's names, and the divisor that makes a listed price one of ours. */
const UNITS: readonly [PriceUnit, string, number][] = [
  ['input_token', 'input_mtok', 1],
  ['cached_input_token', 'cache_read_mtok', 1],
  ['cache_write_token', 'cache_write_mtok', 1],
  ['long_cache_write_token', 'cache_write_1h_mtok', 1],
  ['output_token', 'output_mtok', 1],
  ['web_search_call', 'web_searches_kcount', 1_000],
  ['file_search_call', 'storage_searches_kcount', 1_000],
]

/** Returns a line for each price of text that differs from the public price list, without any request. */
export function comparePrices(): string[] {
  return loadPresets().flatMap((preset) =>
    preset.prices === undefined || preset.plain.provider.driver !== 'text'
      ? []
      : compareCatalog(mergeCatalog([preset]).text, preset.name, preset.prices.taken),
  )
}

/** Compares the models of one provider with the prices that the list has for a day. */
export function compareCatalog(source: string, provider: string, day: string): string[] {
  const entries = readCatalogFile({
    ...{ fileName: `presets/${provider}.yaml`, source },
    report: ({ setting, wrong }) => {
      throw new Error(`${setting}: ${wrong}`)
    },
  })
  return entries.flatMap((entry) => compareModel(entry, provider, day))
}

function compareModel(entry: CatalogEntry, preset: string, taken: string): string[] {
  const theirs = pricesIn(preset, entry.name.slice(preset.length + 1), taken)
  if (theirs === undefined) return [`${entry.name}: the list does not have it`]
  const isEmbedding = entry.endpoints?.join() === 'embeddings'
  const units = UNITS.filter(([unit]) => !isEmbedding || unit === 'input_token')
  return [
    ...units.flatMap(([unit, key, count]) => {
      const listed = baseOf(theirs[key])
      return difference(`${entry.name} ${unit}`, priceOf(entry, unit), listed && listed / count)
    }),
    ...(isEmbedding ? [] : compareLongContext(entry, theirs)),
  ]
}

function compareLongContext(entry: CatalogEntry, theirs: ListedPrices): string[] {
  return (['input', 'output'] as const).flatMap((side) => {
    const listed = theirs[`${side}_mtok`]
    const { contextTokens = 0, longContextTokens = LONG_CONTEXT_TOKENS } = entry
    const tier = typeof listed === 'object' ? listed.tiers[0] : undefined
    const begins = tier !== undefined && contextTokens > tier.start + 1 ? tier : undefined
    const factor = begins === undefined ? 1 : begins.price / (baseOf(listed) ?? 1)
    const ours =
      contextTokens > longContextTokens ? (priceOf(entry, `long_context_${side}`) ?? DEFAULT_FACTOR) : 1
    const isMoved = begins !== undefined && Math.abs(longContextTokens - begins.start) > 1
    return [
      ...difference(`${entry.name} long_context_${side}`, ours, factor),
      ...(isMoved
        ? [`${entry.name} long_context_tokens: ${longContextTokens} here, ${begins.start} there`]
        : []),
    ]
  })
}

const LONG_CONTEXT_TOKENS = 200_000
/** Factor where a row has none: docs/pricing.md. */
const DEFAULT_FACTOR = 2

function difference(what: string, ours: number | undefined, theirs: number | undefined): string[] {
  const isSame =
    ours === theirs || (ours !== undefined && theirs !== undefined && Math.abs(ours - theirs) < 5e-7)
  return isSame ? [] : [`${what}: ${ours ?? 'none'} here, ${theirs ?? 'none'} there`]
}

function priceOf({ prices = [] }: CatalogEntry, unit: PriceUnit): number | undefined {
  const row = prices.find((price) => price.unit === unit)
  return row && row.priceMicros / 1_000_000
}

/** Prices in force on the day; where they depend on the time of day, the highest. */
function pricesIn(preset: string, model: string, day: string): ListedPrices | undefined {
  const provider = findProvider({ providerId: PROVIDERS[preset] ?? preset })
  const found = provider?.models.find(({ id }) => id === (MODELS[model] ?? model))
  if (found === undefined) return undefined
  const all = Array.isArray(found.prices) ? found.prices : [{ prices: found.prices }]
  const inForce = all.filter(
    ({ constraint }) =>
      constraint === undefined || (constraint.type === 'start_date' && constraint.start_date <= day),
  )
  const prices: Record<string, ListedPrice | undefined> = { ...inForce.at(-1)?.prices }
  for (const { constraint, prices: timed } of all)
    if (constraint?.type === 'time_of_date')
      for (const [key, price] of Object.entries(timed))
        if ((baseOf(price) ?? 0) > (baseOf(prices[key]) ?? 0)) prices[key] = price
  return prices
}

function baseOf(price: ListedPrice | undefined): number | undefined {
  return typeof price === 'object' ? price.base : price
}
