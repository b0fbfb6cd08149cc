import type { ModelAlias } from '../domain/catalog/alias.ts'
import type { Model, PricedModel } from '../domain/catalog/model.ts'
import type { PriceRow } from '../domain/catalog/price-row.ts'
import type { NewAudit } from './audit.ts'

export interface ModelChange {
  model: Model
  /** undefined keeps them; an empty list removes them. */
  prices: readonly PriceRow[] | undefined
}

export interface ModelStore {
  /** Sorted by `modelId`, ascending. */
  list(): Promise<PricedModel[]>
  find(modelId: number): Promise<PricedModel | undefined>
  /** Writes the built-in catalog into a store without models. Returns true when it did. */
  fillWhenEmpty(models: readonly PricedModel[]): Promise<boolean>
  /**
   * Inserts or updates models by name, in one transaction; given prices replace the old ones. An existing model keeps its
   * `createdAtMs`. A name with another number, a number with another name, or a new name
   * that is an alias, rejects with `ApiError('invalid_parameter')`
   * and changes nothing. Returns their numbers: a model with `NEW_MODEL_ID` gets the next free one.
   */
  apply(changes: readonly ModelChange[], audit: NewAudit): Promise<readonly number[]>
  /** Deletes a model with its prices, unless video tasks of it are open: then it returns their number and changes nothing. */
  remove(name: string, audit: NewAudit): Promise<{ openTasks: number }>
  /** Sorted by alias, then organization. */
  aliases(): Promise<ModelAlias[]>
  /**
   * Adds an alias, or points it to another model. Rejects with an `ApiError` when a model has this name, or the model does
   * not exist. Returns false when the organization does not exist or was erased.
   */
  setAlias(alias: ModelAlias, audit: NewAudit): Promise<boolean>
  /** Returns false when there is no such alias; then there is no audit row either. */
  removeAlias(alias: Pick<ModelAlias, 'alias' | 'organizationId'>, audit: NewAudit): Promise<boolean>
}
