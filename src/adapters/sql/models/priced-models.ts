import type { InferResult, Kysely } from 'kysely'
import { orderPrices } from '../../../domain/catalog/order-prices.ts'
import type { PricedModel } from '../../../domain/catalog/priced-model.ts'
import type { Tables } from '../tables.ts'
import { toModel } from './to-model.ts'
import { toPriceRow } from './to-price-row.ts'

/** One statement, so that models and prices are of one moment: a row for each price, one for a model without any. */
export function selectPricedModels(db: Kysely<Tables>) {
  return db
    .selectFrom('models')
    .leftJoin('model_prices', 'model_prices.model_id', 'models.model_id')
    .select([
      'models.model_id',
      'models.name',
      'models.endpoints',
      'models.max_output_tokens',
      'models.like_model',
      'models.context_tokens',
      'models.fallbacks',
      'models.fallback_price',
      'models.long_context_tokens',
      'models.created_at_ms',
      'model_prices.unit',
      'model_prices.resolution',
      'model_prices.video_input',
      'model_prices.audio',
      'model_prices.price',
    ])
    .orderBy('models.model_id')
}

type Rows = InferResult<ReturnType<typeof selectPricedModels>>

export function toPricedModels(rows: Rows): PricedModel[] {
  const byId = Map.groupBy(rows, (row) => row.model_id)
  return [...byId.values()].flatMap((ofOne) => {
    const [first] = ofOne
    if (first === undefined) return []
    const prices = ofOne.map(toPriceRow).filter((price) => price !== undefined)
    return [{ ...toModel(first), prices: orderPrices(prices) }]
  })
}
