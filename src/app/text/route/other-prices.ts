import type { OtherPrices } from '../../../domain/billing/price-text.ts'
import { dearestOf } from '../../../domain/billing/text-prices.ts'
import { type PricedModel, splitModelName } from '../../../domain/catalog/model.ts'
import { pricesOf, type TextRoute } from './choose-route.ts'

/** Prices of a vendor's models, by the vendor's names. A request may name another model that takes part in its reply. */
export function otherPrices(models: readonly PricedModel[], input: TextRoute): OtherPrices {
  const { provider, prices, upstream } = input
  const ofProvider = models.flatMap((model) => {
    const { provider: providerName, model: modelName } = splitModelName(model.name)
    const found = providerName === provider.name ? pricesOf(model) : undefined
    return found === undefined ? [] : [{ id: provider.findModel(modelName)?.upstream, prices: found }]
  })
  return {
    find: (model) =>
      model === upstream.upstream ? prices : ofProvider.find(({ id }) => id === model)?.prices,
    dearest: dearestOf([prices, ...ofProvider.map((other) => other.prices)]) ?? prices,
  }
}
