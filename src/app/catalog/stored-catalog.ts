import { builtInModels } from '../../domain/catalog/built-in.ts'
import type { PricedModel } from '../../domain/catalog/priced-model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'

/**
 * The models of the store. A new store gets the built-in ones first, as at the start of a server: what an operator
 * applies before that start must not keep them out.
 */
export async function storedCatalog({
  models,
  clock,
}: {
  models: ModelStore
  clock: Clock
}): Promise<PricedModel[]> {
  await models.fillWhenEmpty(builtInModels(clock.nowMs()))
  return models.list()
}
