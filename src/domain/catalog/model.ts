import type { ModelBounds } from '../video/bounds.ts'
import type { ModelEndpoint } from './model-endpoints.ts'
import type { PriceRow } from './price-row.ts'

export const FALLBACK_PRICES = ['lower', 'asked', 'served'] as const

export type FallbackPrice = (typeof FALLBACK_PRICES)[number]

/** Rules for choosing a target of a route; the first is the default. */
export const ROUTE_RULES = ['weight', 'latency', 'price'] as const

export type RouteRule = (typeof ROUTE_RULES)[number]

/** One of several deployments that serve a model: the name of another row, and its share of the requests. */
export interface RouteTarget {
  model: string
  weight: number
}

/** `a/m`, or `a/m*2` where its weight is not 1. */
export function targetLabel({ model, weight }: RouteTarget): string {
  return weight === 1 ? model : `${model}*${weight}`
}

/** Limit of a route's targets: no client waits for more. The bit set of tried targets has room for 31. */
export const ROUTE_TARGETS_MAX = 8

/** One row of the catalog: a model clients may name, as `<provider>/<model_name>`. */
export interface Model {
  /** Number that the admin endpoints call `model_id`. */
  modelId: number
  name: string
  /** Endpoints of a text model; null: the default of `endpointsOf`, or a video model. */
  endpoints: readonly ModelEndpoint[] | null
  maxOutputTokens: number | null
  /** Video model whose rules and parameters also apply to this model; left out: none. */
  likeModel?: string | undefined
  /** Tokens that the model can read and write in one request; left out: unknown. */
  contextTokens?: number | undefined
  /** Text models to try, in this order, while the vendor of this model fails; left out: none. */
  fallbacks?: readonly string[] | undefined
  /** The model whose price applies when a fallback served the request; left out: the lower of the two. */
  fallbackPrice?: FallbackPrice | undefined
  /** Models whose providers serve this model at its price; left out: its own provider serves it. */
  route?: readonly RouteTarget[] | undefined
  /** Left out: by weight. */
  routeBy?: RouteRule | undefined
  /** Video models that replace this one, in this order, when its vendor cannot make a video; left out: none. */
  standIns?: readonly string[] | undefined
  /** Input above this number makes a context long and more expensive; left out: 200,000. */
  longContextTokens?: number | undefined
  /** The vendor's prices, for comparison and routes by price; no request is charged by them. Left out: unknown. */
  vendorPrices?: readonly PriceRow[] | undefined
  /** Prices that replace the others at a moment; left out: no change is planned. */
  nextPrices?: NextPrices | undefined
  /** Day (`YYYY-MM-DD`) on which the prices were taken from the vendor's page; left out: unknown. */
  pricesTaken?: string | undefined
  /** Day on which the vendor ends the model; left out: unknown. */
  ends?: string | undefined
  /** Values that orders of a video model may have; left out: those that its family knows. */
  bounds?: ModelBounds | undefined
  /** Left out: `vendor`. */
  watermark?: (typeof WATERMARKS)[number] | undefined
  /** Whether the model is hidden from clients, who get 404 for it. */
  isUnpublished?: true | undefined
  createdAtMs: number
}

/** Decides whether the video has the vendor's visible mark: as the vendor does, never, or as the client asks. */
export const WATERMARKS = ['vendor', 'off', 'client'] as const

/** Splits `<provider>/<model_name>`; a name without a slash is both parts. */
export function splitModelName(name: string): { provider: string; model: string } {
  const slash = name.indexOf('/')
  return slash === -1
    ? { provider: name, model: name }
    : { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}

export interface NextPrices {
  fromMs: number
  prices: readonly PriceRow[]
}

export interface PricedModel extends Model {
  prices: readonly PriceRow[]
}

export interface OfferedModel extends PricedModel {
  /** Name of the model whose alias `name` is; left out: `name` is the model's own. */
  aliasOf?: string
}

export type FindRow = (name: string) => PricedModel | undefined

/** The rows that serve a model: itself, or the targets of its route. A target with a route serves nothing. */
export function servingRows(model: PricedModel, findRow: FindRow): PricedModel[] {
  if (model.route === undefined) return [model]
  return model.route.flatMap(({ model: name }) => {
    const row = findRow(name)
    return row === undefined || row.route !== undefined ? [] : [row]
  })
}

/** Number of a new model, for which the store takes the next free number. */
export const NEW_MODEL_ID = 0

/** A change of a model. Undefined members keep the stored values; empty ones remove them, except `endpoints`. */
export interface CatalogEntry
  extends Omit<Model, 'endpoints' | 'maxOutputTokens' | 'isUnpublished' | 'nextPrices' | 'createdAtMs'> {
  /** A catalog file gives the list, or null for the default of `endpointsOf`. */
  endpoints: Model['endpoints'] | undefined
  maxOutputTokens: number | undefined
  published?: boolean | undefined
  prices: readonly PriceRow[] | undefined
  /** Moment from which `prices` apply; left out: they apply immediately. */
  pricesFromMs?: number | undefined
}
