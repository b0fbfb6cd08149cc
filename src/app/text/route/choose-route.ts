import { ApiError } from '../../../domain/api-error.ts'
import { type TextPrices, tokenPricesOf } from '../../../domain/billing/text-prices.ts'
import { endpointPath, type ModelEndpoint } from '../../../domain/catalog/dialects.ts'
import { endpointsOf } from '../../../domain/catalog/endpoints-of.ts'
import { type PricedModel, splitModelName } from '../../../domain/catalog/model.ts'
import { unknownModel } from '../../../domain/catalog/unknown-model.ts'
import type { TextProvider, TextUpstreamModel } from '../../../ports/text-provider.ts'

/** Which vendor serves a model, in which dialect, and what it costs. */
export interface TextRoute {
  name: string
  maxOutputTokens: number | undefined
  contextTokens: number | undefined
  prices: TextPrices
  provider: TextProvider
  upstream: TextUpstreamModel
}

export type FindTextProvider = (name: string) => TextProvider | undefined

/** Throws the client's error when this endpoint cannot serve this model. */
export function chooseRoute(
  model: PricedModel | undefined,
  {
    endpoint,
    name,
    findProvider,
    offeredNames = () => [],
  }: {
    endpoint: ModelEndpoint
    name: string
    findProvider: FindTextProvider
    /** To name the nearest one where there is no such model. */
    offeredNames?: () => readonly string[]
  },
): TextRoute {
  if (model === undefined) throw unknownModel(name, offeredNames())
  if (!endpointsOf(model).includes(endpoint)) throw notOfferedHere(model, endpoint)
  const { provider: providerName, model: modelName } = splitModelName(name)
  const provider = findProvider(providerName)
  const upstream = provider?.findModel(modelName)
  if (provider === undefined || upstream === undefined) throw new ApiError('provider_not_configured')
  const prices = pricesOf(model)
  if (prices === undefined) throw new ApiError('model_not_priced')
  const maxOutputTokens = model.maxOutputTokens ?? undefined
  return { name, maxOutputTokens, contextTokens: model.contextTokens, prices, provider, upstream }
}

/** The catalog gives the same row until it changes, so its prices are put together once. */
const PRICES = new WeakMap<PricedModel, TextPrices | undefined>()

export function pricesOf(model: PricedModel): TextPrices | undefined {
  if (!PRICES.has(model)) PRICES.set(model, tokenPricesOf(model))
  return PRICES.get(model)
}

function notOfferedHere(model: PricedModel, endpoint: ModelEndpoint): ApiError {
  const elsewhere = endpointsOf(model).map((other) => `POST ${endpointPath(other)}`)
  const advice =
    elsewhere.length === 0 ? 'It is not a text model.' : `It is offered on ${elsewhere.join(' and ')}.`
  return new ApiError('model_not_found', {
    message: `The model ${model.name} is not offered on POST ${endpointPath(endpoint)}. ${advice}`,
    param: 'model',
  })
}
