import { ApiError } from '../../domain/api-error.ts'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { builtInModels } from '../../domain/catalog/built-in.ts'
import type { PricedModel } from '../../domain/catalog/model.ts'
import { counted } from '../../domain/counted.ts'
import type { ModelStore } from '../../ports/models.ts'
import { noSuch } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { syncModelPrice } from '../limits/sync/sync-model-price.ts'
import type { Runtime } from '../runtime.ts'

/** Usage, receipts and the ledger keep the name of a removed model. */
export function removeModel(parts: AuditTools & Pick<Runtime, 'cache' | 'log'> & { models: ModelStore }) {
  const { models, cache, clock, log } = parts
  const sync = syncModelPrice({ models, cache, clock })
  return async (name: string, catalog: readonly PricedModel[]): Promise<PricedModel> => {
    const model = catalog.find((row) => row.name === name)
    if (model === undefined) throw noSuch('model', name)
    const obstacle = whyNeeded(name, catalog) ?? whyNamed(name, await models.aliases())
    if (obstacle !== undefined) throw refusal(name, obstacle)
    const act = { action: 'model.remove', organizationId: null, subject: name }
    const { openTasks } = await models.remove(
      name,
      draftAudit({ ...act, detail: { model_id: String(model.modelId) } }, parts),
    )
    if (openTasks > 0)
      throw refusal(
        name,
        `${counted(openTasks, 'video task')} of it ${openTasks === 1 ? 'has' : 'have'} not ended. Take it out of sluice.yaml, wait until they have, and try again`,
      )
    await sync(model.modelId).catch((error: unknown) => log.warn('prices.announce_failed', { error }))
    return model
  }
}

/** The sandbox serves the built-in models, and a model that other models name must stay. */
function whyNeeded(name: string, catalog: readonly PricedModel[]): string | undefined {
  if (builtInModels(0).some((row) => row.name === name))
    return 'it is built in. Clients do not see it once real providers are configured; "endpoints: []" in a catalog file hides a text model'
  const user = catalog.find(({ fallbacks = [], route = [], standIns = [] }) =>
    [...fallbacks, ...standIns, ...route.map(({ model }) => model)].includes(name),
  )
  if (user === undefined) return undefined
  return `${user.name} names it in its fallbacks, its route or its stand_ins. Change that with "sluice apply" first`
}

function whyNamed(name: string, aliases: readonly ModelAlias[]): string | undefined {
  const own = aliases.find(({ model }) => model === name)
  return own && `${own.alias} is an alias of it. Remove that, or point it to another model, first`
}

function refusal(name: string, why: string): ApiError {
  return new ApiError('invalid_parameter', { param: 'name', message: `${name} was not removed: ${why}.` })
}
