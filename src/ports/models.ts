import type { ModelAlias } from '../domain/catalog/alias.ts'
import type { Model, PricedModel } from '../domain/catalog/model.ts'
import type { PriceRow } from '../domain/catalog/price-row.ts'
import type { NewAudit } from './audit.ts'

export interface ModelChange {
  model: Model
  /** undefined keeps the prices; an empty list removes them. */
  prices: readonly PriceRow[] | undefined
  /** The model for which the change was planned; null: there was none. Left out: the change fits any. */
  before?: PricedModel | null
}

export interface ModelStore {
  /** Sorted by `modelId`, ascending. */
  list(): Promise<PricedModel[]>
  find(modelId: number): Promise<PricedModel | undefined>
  /** Writes the built-in catalog into a store without models. Returns whether it did. */
  fillWhenEmpty(models: readonly PricedModel[]): Promise<boolean>
  /**
   * Inserts or updates models by name, in one transaction; given prices replace the old ones, and `createdAtMs` of an
   * existing model stays. Rejects with `ApiError('invalid_parameter')`, without a change, when a name has another number,
   * a number another name, or a new name is an alias. Returns the models' numbers; `NEW_MODEL_ID` stands for the next free
   * one. Returns undefined, without a change, when a model is no longer as in `before`, or a model that it newly names is gone.
   */
  apply(changes: readonly ModelChange[], audit: NewAudit): Promise<readonly number[] | undefined>
  /** Deletes a model with its prices. Rejects with an `ApiError` when the model is built in, named, or in use by tasks. */
  remove(name: string, audit: NewAudit): Promise<void>
  /** Sorted by alias, then organization. */
  aliases(): Promise<ModelAlias[]>
  /**
   * Adds an alias, or points it to another model. Rejects with an `ApiError` when a model has this name, or the target
   * does not exist. Returns false when the organization does not exist or was erased.
   */
  setAlias(alias: ModelAlias, audit: NewAudit): Promise<boolean>
  /** Returns false, and writes no audit row, when there is no such alias. */
  removeAlias(alias: Pick<ModelAlias, 'alias' | 'organizationId'>, audit: NewAudit): Promise<boolean>
}
