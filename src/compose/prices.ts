import { openPriceBook, type PriceBook } from '../app/catalog/price-book.ts'
import type { Store } from '../ports/store.ts'
import type { LiveProviders } from './providers/live-providers.ts'
import { ownersOfModels, servedModels } from './served-models.ts'
import type { Tools } from './tools.ts'

/** Opens the price book. It offers models of new providers once all parts for them are open. */
export async function composePrices(input: {
  store: Pick<Store, 'models'>
  tools: Pick<Tools, 'clock'>
  providers: LiveProviders
}): Promise<PriceBook> {
  const { store, tools, providers } = input
  let [offers, ownerOf] = [servedModels([]), ownersOfModels([])]
  const prices = openPriceBook({
    models: store.models,
    clock: tools.clock,
    offers: (model, findRow) => offers(model, findRow),
    ownerOf: (model) => ownerOf(model),
  })
  await providers.follow(({ serving }) => {
    offers = servedModels(serving)
    ownerOf = ownersOfModels(serving)
    prices.offerAgain()
  })
  return prices
}
