import { ApiError, asApiError } from '../../../domain/api-error.ts'
import { type TextPrices, tokenPricesOf } from '../../../domain/billing/text-prices.ts'
import { endpointsOf } from '../../../domain/catalog/endpoints-of.ts'
import { exampleCost } from '../../../domain/catalog/example-cost.ts'
import { type PricedModel, splitModelName } from '../../../domain/catalog/model.ts'
import type { ModelEndpoint } from '../../../domain/catalog/model-endpoints.ts'
import { notOfferedOn, unknownModel } from '../../../domain/catalog/unknown-model.ts'
import type { Draw } from '../../../ports/clock.ts'
import type { ProviderOperation, TextProvider, TextUpstreamModel } from '../../../ports/text-provider.ts'
import type { PriceBook } from '../../catalog/price-book.ts'
import { chooseTarget, type TargetModel } from './choose-target.ts'
import type { ModelRates } from './model-rates.ts'

export interface TextRoute {
  /** Name of the catalog row that serves the request. */
  name: string
  /** Name of the requested row, whose price applies, if `name` is a target of its route; left out: the row has no route. */
  routedFrom?: string | undefined
  /** Bitmask of the route's targets that were tried, this one included; left out: the model has no route. */
  triedTargets?: number
  maxOutputTokens: number | undefined
  contextTokens: number | undefined
  prices: TextPrices
  provider: TextProvider
  upstream: TextUpstreamModel
}

export type FindTextProvider = (name: string) => TextProvider | undefined

export interface RouteQuestion {
  endpoint: ModelEndpoint
  operation: ProviderOperation
  name: string
  organizationId: string
  isStream: boolean
  /** Bitmask of the targets of the model's route that are not asked again. */
  triedTargets: number
}

/** Throws the client's error when this endpoint cannot serve this model, or when no target of its route is left. */
export type ChooseRoute = (model: PricedModel | undefined, question: RouteQuestion) => TextRoute

export function createChooseRoute(input: {
  prices: Pick<PriceBook, 'offeredNames' | 'findTarget'>
  findProvider: FindTextProvider
  rates: Pick<ModelRates, 'firstByteMs'>
  draw: Draw
}): ChooseRoute {
  const { prices, findProvider, ...tools } = input
  /** The catalog returns the same row objects until any row or provider changes: targets are looked up once. */
  const targetsOf = new WeakMap<PricedModel, readonly TargetModel[]>()

  function findUpstream(name: string): Pick<TextRoute, 'provider' | 'upstream'> | undefined {
    const { provider: providerName, model } = splitModelName(name)
    const provider = findProvider(providerName)
    const upstream = provider?.findModel(model)
    return provider === undefined || upstream === undefined ? undefined : { provider, upstream }
  }

  function readTargets(model: PricedModel): readonly TargetModel[] {
    const known = targetsOf.get(model)
    if (known !== undefined) return known
    const targets = (model.route ?? []).flatMap(({ model: name, weight }): TargetModel[] => {
      const row = prices.findTarget(name)
      const found = row?.route === undefined ? findUpstream(name) : undefined
      if (row === undefined || found === undefined) return []
      return [{ name, weight, ...found, ...boundsOf(model, row), plainCostMicros: plainCostOf(row, model) }]
    })
    targetsOf.set(model, targets)
    return targets
  }

  return (model, question) => {
    const { name, endpoint } = question
    if (model === undefined) throw unknownModel(name, prices.offeredNames(question.organizationId))
    if (!endpointsOf(model).includes(endpoint)) throw notOfferedOn(endpoint, model)
    const priced = pricesOf(model)
    if (model.route === undefined) {
      const found = findUpstream(name)
      if (found === undefined) throw new ApiError('provider_not_configured')
      if (priced === undefined) throw new ApiError('model_not_priced')
      return { name, ...boundsOf(model), prices: priced, ...found }
    }
    const targets = readTargets(model)
    const at = chooseTarget(targets, model.routeBy ?? 'weight', question, tools)
    const target = targets[at]
    if (target === undefined) throw new ApiError('provider_not_configured')
    if (priced === undefined) throw new ApiError('model_not_priced')
    return {
      name: target.name,
      routedFrom: name,
      triedTargets: question.triedTargets | (1 << at),
      maxOutputTokens: target.maxOutputTokens,
      contextTokens: target.contextTokens,
      prices: priced,
      provider: target.provider,
      upstream: target.upstream,
    }
  }
}

/** Returns undefined when `choose` throws an `ApiError`. */
export function routeOrNone(choose: () => TextRoute): TextRoute | undefined {
  try {
    return choose()
  } catch (apiError) {
    if (asApiError(apiError) !== undefined) return undefined
    throw apiError
  }
}

/** Returns the name of the row whose price applies: the requested row, not a target of its route. */
export function rowOf({ routedFrom, name }: Pick<TextRoute, 'routedFrom' | 'name'>): string {
  return routedFrom ?? name
}

/** Bounds of the row take precedence over bounds of its target. */
function boundsOf(model: PricedModel, target: PricedModel = model) {
  return {
    maxOutputTokens: model.maxOutputTokens ?? target.maxOutputTokens ?? undefined,
    contextTokens: model.contextTokens ?? target.contextTokens,
  }
}

/** Uses the vendor's price if the row has one, else the selling price. */
function plainCostOf(row: PricedModel, { endpoints }: PricedModel): number {
  const prices = row.vendorPrices ?? row.prices
  return exampleCost({ ...row, endpoints, prices })?.costMicros ?? Number.POSITIVE_INFINITY
}

/** The catalog returns the same row objects until any row or provider changes, so prices are computed once. */
const PRICES = new WeakMap<PricedModel, TextPrices | undefined>()

export function pricesOf(model: PricedModel): TextPrices | undefined {
  if (!PRICES.has(model)) PRICES.set(model, tokenPricesOf(model))
  return PRICES.get(model)
}
