import type { Model } from './model.ts'
import type { PriceRow } from './price-row.ts'

export interface PricedModel extends Model {
  prices: readonly PriceRow[]
}
