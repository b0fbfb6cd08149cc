import { ApiError } from '../../domain/api-error.ts'
import { catalogWarnings } from '../../domain/catalog/catalog-warnings.ts'
import type { CatalogEntry } from '../../domain/catalog/model.ts'
import { noSuch } from '../access/no-such.ts'
import type { Operator } from '../operator.ts'
import type { PlannedModel } from './plan-catalog.ts'

/** Reads one model from YAML or JSON; `name` is the model that changes. Throws an `ApiError` with every fault. */
export type ReadOneModel = (
  text: string,
  name: string | undefined,
) => { entry: CatalogEntry; given: ReadonlySet<string> }

export function changeModels(
  parts: Pick<Operator, 'listModels' | 'planCatalog'> & {
    readOneModel: ReadOneModel
    apply(entry: CatalogEntry, action: string): Promise<PlannedModel>
  },
): Pick<Operator, 'addModel' | 'updateModel'> {
  const { readOneModel, listModels, planCatalog, apply } = parts

  /** Rejects a model whose requests would get a 503. */
  async function refuseUnusable(entry: CatalogEntry): Promise<void> {
    const [planned] = await planCatalog([entry])
    const { isUnpublished, nextPrices: next } = planned?.model ?? {}
    const later = planned && next && catalogWarnings({ ...planned.model, prices: next.prices })
    const fault = isUnpublished ? undefined : (planned?.warnings[0] ?? later?.[0])
    if (fault !== undefined)
      throw new ApiError('invalid_parameter', { param: 'prices', message: `${entry.name}: ${fault}.` })
  }

  return {
    async addModel(text) {
      const { entry } = readOneModel(text, undefined)
      await refuseUnusable(entry)
      return apply(entry, 'model.add')
    },

    async updateModel(name, text) {
      const { entry, given } = readOneModel(text, name)
      const before = (await listModels()).find((row) => row.name === name)
      if (before === undefined) throw noSuch('model', name)
      const endpoints = given.has('endpoints') ? entry.endpoints : before.endpoints
      const change = { ...entry, modelId: before.modelId, endpoints }
      if (given.has('prices') || entry.published === true) await refuseUnusable(change)
      return apply(change, 'model.update')
    },
  }
}
