import type { Model, PricedModel } from '../domain/catalog/model.ts'
import type { PriceRow } from '../domain/catalog/price-row.ts'
import type { NewAudit } from './audit.ts'

/** A model as a catalog file describes it. */
export interface ModelChange {
  model: Model
  /** undefined leaves them alone; an empty list takes them away. */
  prices: readonly PriceRow[] | undefined
}

export interface ModelStore {
  /** By `modelId`, ascending. */
  list(): Promise<PricedModel[]>
  find(modelId: number): Promise<PricedModel | undefined>
  /** Writes the built-in catalog into a store that has no model yet. True when it did. */
  fillWhenEmpty(models: readonly PricedModel[]): Promise<boolean>
  /**
   * In one transaction: models are inserted or updated by name, and the prices that are given replace the old ones.
   * An existing model keeps its `createdAtMs`. A name with another number, or a number with another name, rejects
   * with `ApiError('invalid_parameter')` and changes nothing.
   */
  apply(changes: readonly ModelChange[], audit: NewAudit): Promise<void>
}
