import { isAllowedModel } from '../../domain/access/allowed-models.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import type { OfferedModel } from '../../domain/catalog/model.ts'
import type { App } from '../app.ts'
import type { PriceBook } from './price-book.ts'

/** Returns the models of the caller's key; the same array until the catalog changes or the caller's row is reread. */
export function listAllowedModels(prices: Pick<PriceBook, 'listModels'>): App['listModels'] {
  const kept = new WeakMap<
    readonly string[],
    { of: readonly OfferedModel[]; models: readonly OfferedModel[] }
  >()

  return (caller) => {
    const offered = prices.listModels(caller.organizationId)
    if (caller.allowedModels === null) return offered
    return offered instanceof Promise
      ? offered.then((models) => allowedOf(caller, models))
      : allowedOf(caller, offered)
  }

  function allowedOf(caller: Caller, offered: readonly OfferedModel[]): readonly OfferedModel[] {
    if (caller.allowedModels === null) return offered
    const known = kept.get(caller.allowedModels)
    if (known?.of === offered) return known.models
    const models = offered.filter(({ name, aliasOf }) => isAllowedModel(caller, aliasOf ?? name))
    kept.set(caller.allowedModels, { of: offered, models })
    return models
  }
}
