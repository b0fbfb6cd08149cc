import { isVideoModel } from '../../domain/catalog/endpoints-of.ts'
import {
  type CatalogEntry,
  FALLBACK_PRICES,
  type Model,
  ROUTE_RULES,
  WATERMARKS,
} from '../../domain/catalog/model.ts'
import { MODEL_ENDPOINTS, type ModelEndpoint } from '../../domain/catalog/model-endpoints.ts'
import { type PriceRow, priceLabel } from '../../domain/catalog/price-row.ts'
import { FAMILY_MODEL_NAMES } from '../../domain/video/families/families.ts'
import type { ConfigFields } from '../read-fields.ts'
import { integer } from '../settings/kinds/integer.ts'
import { day, moment, oneOf } from '../settings/kinds/text.ts'
import {
  type FileReading,
  type Mapping,
  readMapping,
  readMappingFields,
  refuseUnknownKeys,
  reportAt,
  type YamlSection,
} from '../yaml/mapping.ts'
import { readList, readListOf } from '../yaml/read-list.ts'
import { reportRepeats } from '../yaml/report-repeats.ts'
import { readBounds } from './read-bounds.ts'
import { modelName, readFallbacks, readRoute, readStandIns } from './read-named-models.ts'
import { readPrice } from './read-price.ts'

const FIELDS = {
  model_id: {
    kind: integer({ min: 1, max: 2_147_483_647 }),
    required: true,
    meaning: 'The number that the admin endpoints know the model by. A model keeps it for good.',
  },
  name: { kind: modelName, required: true, meaning: 'What clients call it.' },
  like: {
    kind: oneOf(FAMILY_MODEL_NAMES),
    meaning:
      'The video model that this one works like: the same family, rules and traits. Unset: what it was, at first none.',
  },
  max_output_tokens: {
    kind: integer({ min: 1, max: 1_000_000_000 }),
    meaning: 'The longest reply of a text model. Unset: what it was.',
  },
  context_tokens: {
    kind: integer({ min: 1, max: 1_000_000_000 }),
    meaning: 'How many tokens a text model can read and write in one request. Unset: what it was.',
  },
  long_context_tokens: {
    kind: integer({ min: 1, max: 1_000_000_000 }),
    meaning: 'With more input than this a context is long. Unset: what it was, at first 200000.',
  },
  fallback_price: {
    kind: oneOf(FALLBACK_PRICES),
    meaning: 'Whose price a request costs that a fallback served. Unset: what it was, at first lower.',
  },
  route_by: {
    kind: oneOf(ROUTE_RULES),
    meaning: 'How a target of the route is chosen. Unset: what it was, at first weight.',
  },
  prices_from: {
    kind: moment,
    meaning:
      'The moment (UTC) from which `prices` hold; until then the old ones do. A model has one such plan. Unset: immediately.',
  },
  prices_taken: {
    kind: day,
    meaning:
      "When the prices were taken from the vendor's page; `doctor` warns after 90 days. Unset: what it was.",
  },
  ends: { kind: day, meaning: 'When the vendor ends the model; `doctor` names it. Unset: what it was.' },
  watermark: {
    kind: oneOf(WATERMARKS),
    meaning:
      "Who decides about the vendor's visible mark: the vendor, off (without it) or the client. Unset: what it was, at first vendor.",
  },
  published: {
    kind: oneOf(['true', 'false']),
    meaning: 'Whether clients see it; false: they get 404. Unset: what it was, at first true.',
  },
} satisfies ConfigFields

const KNOWN = [
  'model_id',
  'name',
  'like',
  'endpoints',
  'max_output_tokens',
  'context_tokens',
  'long_context_tokens',
  'fallbacks',
  'fallback_price',
  'route',
  'route_by',
  'stand_ins',
  'prices',
  'prices_from',
  'vendor_prices',
  'prices_taken',
  'ends',
  'bounds',
  'watermark',
  'published',
]

/** Reads one item under `models`. Returns undefined when it reported a fault. */
export function readModel(
  value: unknown,
  path: readonly string[],
  reading: FileReading,
): CatalogEntry | undefined {
  const mapping = readMapping(value, path, reading)
  if (mapping === undefined) return undefined
  const known = refuseUnknownKeys(mapping, { path, known: KNOWN, reading })
  const fields = readMappingFields(FIELDS, { mapping, path, reading })
  const endpoints = readEndpoints(mapping, [...path, 'endpoints'], reading)
  const prices = readPrices('prices', { mapping, path, reading })
  const vendorPrices = readPrices('vendor_prices', { mapping, path, reading })
  if (!known || fields === undefined || endpoints === undefined) return undefined
  if (prices === undefined || vendorPrices === undefined) return undefined
  if (!fromSuits(fields.prices_from, prices.list, [...path, 'prices_from'], reading)) return undefined
  const row = { name: fields.name, ...(fields.like === undefined ? {} : { likeModel: fields.like }) }
  if (!likeSuits(row, [...path, 'like'], reading)) return undefined
  const fallbacks = readFallbacks({ row, mapping, path: [...path, 'fallbacks'], reading })
  const route = readRoute({ row, mapping, path: [...path, 'route'], reading })
  const standIns = readStandIns({ row, mapping, path: [...path, 'stand_ins'], reading })
  const bounds = readBounds({ row, mapping, path: [...path, 'bounds'], reading })
  if (fallbacks === undefined || route === undefined || standIns === undefined) return undefined
  if (bounds === undefined) return undefined
  if (!endpointsSuit(row, endpoints.list, [...path, 'endpoints'], reading)) return undefined
  return {
    modelId: fields.model_id,
    name: fields.name,
    endpoints: endpoints.list,
    likeModel: fields.like,
    maxOutputTokens: fields.max_output_tokens,
    contextTokens: fields.context_tokens,
    longContextTokens: fields.long_context_tokens,
    fallbacks: fallbacks.list,
    fallbackPrice: fields.fallback_price,
    vendorPrices: vendorPrices.list,
    route: route.list,
    routeBy: fields.route_by,
    standIns: standIns.list,
    pricesTaken: fields.prices_taken,
    ends: fields.ends,
    bounds: bounds.bounds,
    watermark: fields.watermark,
    published: fields.published === undefined ? undefined : fields.published === 'true',
    prices: prices.list,
    pricesFromMs: fields.prices_from,
  }
}

function fromSuits(
  fromMs: number | undefined,
  prices: readonly PriceRow[] | undefined,
  path: readonly string[],
  reading: FileReading,
): boolean {
  if (fromMs === undefined || prices !== undefined) return true
  reportAt(path, reading, {
    wrong: 'no prices stand beside it',
    fix: 'List the prices that apply from then on.',
  })
  return false
}

function readEndpoints(
  mapping: Mapping,
  path: readonly string[],
  reading: FileReading,
): { list: ModelEndpoint[] | null } | undefined {
  const value = mapping.get('endpoints') ?? null
  if (value === null) return { list: null }
  const list = readListOf(ENDPOINT, value, path, reading)
  return list && { list: [...new Set(list)] }
}

const ENDPOINT = oneOf(MODEL_ENDPOINTS)

/** A built-in video model cannot take the rules of another one, which would refuse valid requests. */
function likeSuits(
  { name, likeModel }: Pick<Model, 'name' | 'likeModel'>,
  path: readonly string[],
  reading: FileReading,
): boolean {
  if (likeModel === undefined || !FAMILY_MODEL_NAMES.includes(name)) return true
  reportAt(path, reading, {
    wrong: `${name} is a video model that Sluice knows`,
    fix: 'Leave it out, or give the model another name.',
  })
  return false
}

/** A video model has no text endpoints, so the list would have no effect. */
function endpointsSuit(
  row: Pick<Model, 'name' | 'likeModel'>,
  endpoints: readonly ModelEndpoint[] | null,
  path: readonly string[],
  reading: FileReading,
): boolean {
  if (endpoints === null || endpoints.length === 0) return true
  if (!isVideoModel(row)) return true
  reportAt(path, reading, {
    wrong: `it means nothing for ${row.name}, which makes videos`,
    fix: 'Leave it out: only text models have endpoints.',
  })
  return false
}

function readPrices(
  key: 'prices' | 'vendor_prices',
  { mapping, path: ofModel, reading }: YamlSection,
): { list: PriceRow[] | undefined } | undefined {
  if (!mapping.has(key)) return { list: undefined }
  const path = [...ofModel, key]
  const value = mapping.get(key)
  if (value === null) {
    return reportAt(path, reading, {
      wrong: 'it is empty',
      fix: 'List the prices; or write [] to take them all away, or leave the line out to keep them.',
    })
  }
  const items = readList(value, path, reading)
  if (items === undefined) return undefined
  const read = items.map((item, index) => readPrice(item, [...path, `${index}`], reading))
  reportRepeats(read, { what: undefined, keyOf: priceLabel, path, reading })
  const list = read.filter((row) => row !== undefined)
  return list.length === items.length ? { list } : undefined
}
