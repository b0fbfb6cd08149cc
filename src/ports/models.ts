import type { ModelAlias } from '../domain/catalog/alias.ts'
import type { Model, PricedModel } from '../domain/catalog/model.ts'
import type { PriceRow } from '../domain/catalog/price-row.ts'
import type { NewAudit } from './audit.ts'

export interface ModelChange {
  model: Model
  /** undefined keeps the prices; an empty list removes them. */
  prices: readonly PriceRow[] | undefined
  /** State of the model for which the change was planned; null: it did not exist. Left out: any state. */
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
   * existing model stays. Returns the models' numbers; `NEW_MODEL_ID` asks for the next free number. Rejects with
   * `invalid_parameter` and changes nothing when name and number belong to different models, or a new name is an alias.
   * Returns undefined and changes nothing when a model differs from `before`, or now names a model that does not exist.
   */
  apply(changes: readonly ModelChange[], audit: NewAudit): Promise<readonly number[] | undefined>
  /** Deletes a model with its prices. Rejects for a built-in model, and while models, aliases or open tasks name it. */
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
