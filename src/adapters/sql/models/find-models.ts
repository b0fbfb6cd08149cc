import { parseOrNone } from '@sluice/dialects/json/parse-or-none'
import type { InferResult, Insertable, Selectable } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import { formatUsdDecimal, parseUsdMicros } from '../../../domain/billing/usd.ts'
import {
  type Model,
  type NextPrices,
  type PricedModel,
  ROUTE_TARGETS_MAX,
  type RouteTarget,
} from '../../../domain/catalog/model.ts'
import { isModelEndpoint } from '../../../domain/catalog/model-endpoints.ts'
import { orderPrices } from '../../../domain/catalog/order-prices.ts'
import { PRICE_UNITS, type PriceRow } from '../../../domain/catalog/price-row.ts'
import type { ModelBounds } from '../../../domain/video/bounds.ts'
import type { ModelStore } from '../../../ports/models.ts'
import { read, type StatementsOf } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { toDecimalString } from '../tenants/users.ts'

export const FIND_MODELS = {
  list: read(listModels),

  find: read(async (db, modelId) => {
    if (modelId > MODEL_ID_MAX) return undefined
    const rows = await selectPricedModels(db).where('models.model_id', '=', modelId).execute()
    return toPricedModels(rows)[0]
  }),
} satisfies Partial<StatementsOf<ModelStore>>

export async function listModels(db: Db): Promise<PricedModel[]> {
  return toPricedModels(await selectPricedModels(db).execute())
}

/** Reads models and prices in one statement: a row per price, and one per model without prices. */
function selectPricedModels(db: Db) {
  return db
    .selectFrom('models')
    .leftJoin('model_prices', 'model_prices.model_id', 'models.model_id')
    .selectAll('models')
    .select([
      'model_prices.unit',
      'model_prices.resolution',
      'model_prices.video_input',
      'model_prices.audio',
      'model_prices.price',
    ])
    .orderBy('models.model_id')
}

function toPricedModels(rows: InferResult<ReturnType<typeof selectPricedModels>>): PricedModel[] {
  const byId = Map.groupBy(rows, (row) => row.model_id)
  return [...byId.values()].flatMap((ofOne) => {
    const [first] = ofOne
    if (first === undefined) return []
    const prices = ofOne.map(toPriceRow).filter((price) => price !== undefined)
    return [{ ...toModel(first), prices: orderPrices(prices) }]
  })
}

function toModel(row: Selectable<Tables['models']>): Model {
  const fallbacks = readArray(row.fallbacks)?.filter(isText) ?? []
  const vendorPrices = readArray(row.vendor_prices)?.flatMap(toPlainPrice) ?? []
  const nextPrices = row.next_prices === null ? undefined : readNextPrices(row.next_prices)
  const route = readArray(row.route)?.filter(isTarget).slice(0, ROUTE_TARGETS_MAX) ?? []
  const standIns = readArray(row.stand_ins)?.filter(isText) ?? []
  // The reader of catalogs checked the bounds, so only text that is not JSON is left out.
  const bounds = row.bounds === null ? undefined : (parseOrNone(row.bounds) as ModelBounds | undefined)
  return {
    modelId: row.model_id,
    name: row.name,
    endpoints: readArray(row.endpoints)?.filter(isModelEndpoint) ?? null,
    maxOutputTokens: row.max_output_tokens,
    ...(row.like_model === null ? {} : { likeModel: row.like_model }),
    ...(row.context_tokens === null ? {} : { contextTokens: row.context_tokens }),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
    ...(standIns.length === 0 ? {} : { standIns }),
    ...(row.fallback_price === null ? {} : { fallbackPrice: row.fallback_price }),
    ...(row.long_context_tokens === null ? {} : { longContextTokens: row.long_context_tokens }),
    ...(vendorPrices.length === 0 ? {} : { vendorPrices }),
    ...(nextPrices === undefined ? {} : { nextPrices }),
    ...(route.length === 0 ? {} : { route }),
    ...(row.route_by === null ? {} : { routeBy: row.route_by }),
    ...(row.prices_taken === null ? {} : { pricesTaken: row.prices_taken }),
    ...(row.ends === null ? {} : { ends: row.ends }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(row.watermark === null ? {} : { watermark: row.watermark }),
    ...(row.unpublished ? { isUnpublished: true } : {}),
    createdAtMs: row.created_at_ms,
  }
}

/** Parses a list. Operators edit these columns by hand, and one unreadable list must not hide the catalog. */
function readArray(json: string | null): unknown[] | undefined {
  const value = json === null ? undefined : parseOrNone(json)
  return Array.isArray(value) ? value : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Parses planned prices; undefined: the current prices stay. A model without a needed price is refused, never free. */
function readNextPrices(json: string): NextPrices | undefined {
  const [first] = readArray(`[${json}]`) ?? []
  const { fromMs, prices } = Object(first)
  if (!Number.isSafeInteger(fromMs) || !Array.isArray(prices)) return undefined
  return { fromMs, prices: prices.flatMap(toPlainPrice) }
}

/** Leaves out rows that are unreadable. */
function toPlainPrice(value: unknown): PriceRow[] {
  const { unit: given, resolution, videoInput, audio, priceMicros } = Object(value) as Record<string, unknown>
  const unit = PRICE_UNITS.find((one) => one === given)
  if (
    unit === undefined ||
    typeof priceMicros !== 'number' ||
    !Number.isSafeInteger(priceMicros) ||
    priceMicros < 0
  )
    return []
  const flag = (one: unknown) => (typeof one === 'boolean' ? one : null)
  return [
    {
      unit,
      resolution: isText(resolution) ? resolution : null,
      videoInput: flag(videoInput),
      audio: flag(audio),
      priceMicros: micros(priceMicros),
    },
  ]
}

function isTarget(value: unknown): value is RouteTarget {
  const { model, weight } = Object(value)
  return isText(model) && Number.isSafeInteger(weight) && weight >= 0
}

type Joined = { [Column in keyof Omit<Selected, 'model_id'>]: Selected[Column] | null }
type Selected = Selectable<Tables['model_prices']>

/** Returns undefined without a readable price. The model is then refused, never free. */
function toPriceRow({ unit, resolution, video_input, audio, price }: Joined): PriceRow | undefined {
  if (unit === null || price === null) return undefined
  const priceMicros = parseUsdMicros(toDecimalString(price))
  if (priceMicros === undefined) return undefined
  return {
    unit,
    resolution: resolution === '*' ? null : resolution,
    videoInput: toFlag(video_input),
    audio: toFlag(audio),
    priceMicros,
  }
}

export function fromPriceRow(modelId: number, row: PriceRow): Insertable<Tables['model_prices']> {
  return {
    model_id: modelId,
    unit: row.unit,
    resolution: row.resolution ?? '*',
    video_input: fromFlag(row.videoInput),
    audio: fromFlag(row.audio),
    price: formatUsdDecimal(row.priceMicros),
  }
}

function toFlag(column: '*' | 'true' | 'false' | null): boolean | null {
  return column === null || column === '*' ? null : column === 'true'
}

function fromFlag(flag: boolean | null): '*' | 'true' | 'false' {
  if (flag === null) return '*'
  return flag ? 'true' : 'false'
}

/** Maximum of the column on every engine. A larger number must not become an error of the store. */
const MODEL_ID_MAX = 2_147_483_647
