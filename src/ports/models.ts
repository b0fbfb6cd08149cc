import type { Model } from '../domain/catalog/model.ts'

export interface ModelStore {
  /** By `modelId`, ascending. */
  list(): Promise<Model[]>
  /** Writes the built-in catalog into a store that has no model yet. True when it did. */
  fillWhenEmpty(models: readonly Model[]): Promise<boolean>
}
