import { ApiError } from '../../domain/api-error.ts'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { builtInModels } from '../../domain/catalog/built-in.ts'
import { catalogWarnings } from '../../domain/catalog/catalog-warnings.ts'
import type { CatalogEntry, PricedModel } from '../../domain/catalog/model.ts'
import { pricedAt } from '../../domain/catalog/priced-at.ts'
import { counted } from '../../domain/counted.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import { requireRow } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { syncModelPrice } from '../limits/sync/copy-entry.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { formatDifference, type PlannedModel, planCatalog } from './plan-catalog.ts'

export function keepCatalog(
  parts: AuditTools & Pick<Runtime, 'cache' | 'log'> & { models: ModelStore; readOneModel: ReadOneModel },
): Pick<
  Operator,
  'listModels' | 'planCatalog' | 'applyCatalog' | 'removeModel' | 'addModel' | 'updateModel'
> {
  const listModels = async () => pricedNow(await storedCatalog(parts), parts.clock)
  const apply = applyCatalog(parts)
  const plan: Operator['planCatalog'] = async (entries) =>
    planCatalog(entries, {
      stored: await listModels(),
      aliases: await parts.models.aliases(),
      nowMs: parts.clock.nowMs(),
    })
  return {
    listModels,
    planCatalog: plan,
    applyCatalog: (entries) => apply(entries),
    ...changeModels({
      ...{ readOneModel: parts.readOneModel, listModels, planCatalog: plan },
      async apply(entry, action) {
        const [planned] = await apply([entry], { action, subject: entry.name })
        if (planned === undefined) throw new Error('applyCatalog returned no plan for the model')
        return planned
      },
    }),
    removeModel: async (name) => removeModel(parts)(name, await listModels()),
  }
}

/**
 * Returns the models of the store. An empty store first gets the built-in models, as at the start of a server; otherwise a
 * catalog that is applied before the first start would keep them out.
 */
async function storedCatalog(tools: { models: ModelStore; clock: Clock }): Promise<PricedModel[]> {
  const { models, clock } = tools
  await models.fillWhenEmpty(builtInModels(clock.nowMs()))
  return models.list()
}

function pricedNow(models: readonly PricedModel[], clock: Clock): PricedModel[] {
  return models.map((model) => pricedAt(model, clock.nowMs()))
}

/** A catalog that changes nothing writes nothing, and leaves no audit row. */
function applyCatalog(input: AuditTools & Pick<Runtime, 'cache' | 'log'> & { models: ModelStore }) {
  const { models, cache, log, ...tools } = input
  const sync = syncModelPrice({ models, cache, clock: tools.clock })
  return async (entries: readonly CatalogEntry[], act?: Pick<NewAudit, 'action' | 'subject'>) => {
    const rows = await storedCatalog({ models, clock: tools.clock })
    const stored = pricedNow(rows, tools.clock)
    const plan = planCatalog(entries, {
      ...{ stored, aliases: await models.aliases(), nowMs: tools.clock.nowMs() },
    })
    const changed = plan.filter(({ change }) => change !== 'unchanged')
    if (changed.length === 0) return plan
    // Planned prices that are due are written with the first change after their time.
    const due = rows.filter((row, index) => row !== stored[index])
    const given = entries.filter(({ prices }) => prices !== undefined)
    const withPrices = new Set([...due, ...given].map(({ name }) => name))
    const modelIds = await models.apply(
      changed.map(({ model: { prices, ...model } }) => ({
        model,
        prices: withPrices.has(model.name) ? prices : undefined,
      })),
      draftAudit({ ...describeAct(changed), ...act }, tools),
    )
    await announce(modelIds)
    return plan.map((planned) => {
      const modelId = modelIds[changed.indexOf(planned)] ?? planned.model.modelId
      return { ...planned, model: { ...planned.model, modelId } }
    })
  }

  /** Never rejects, because the change is stored and replicas see it later without the message. */
  async function announce(modelIds: readonly number[]): Promise<void> {
    try {
      await Promise.all(modelIds.map((modelId) => sync(modelId)))
    } catch (error) {
      log.warn('prices.announce_failed', { error })
    }
  }
}

function describeAct(changed: readonly PlannedModel[]) {
  const detail = changed.map(({ model, change, differences }) => {
    return [model.name, [change, ...differences.map(formatDifference)].join('; ')] as const
  })
  return {
    action: 'catalog.apply',
    organizationId: null,
    subject: 'catalog',
    detail: Object.fromEntries(detail),
  }
}

/** Usage, receipts and the ledger keep the name of a removed model. */
function removeModel(parts: AuditTools & Pick<Runtime, 'cache' | 'log'> & { models: ModelStore }) {
  const { models, cache, clock, log } = parts
  const sync = syncModelPrice({ models, cache, clock })
  return async (name: string, catalog: readonly PricedModel[]): Promise<PricedModel> => {
    const found = catalog.find((row) => row.name === name)
    const model = requireRow(found, 'model', name)
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

/** Reads one model from YAML or JSON; `name` is the model that changes. Throws an `ApiError` with every fault. */
type ReadOneModel = (
  text: string,
  name: string | undefined,
) => { entry: CatalogEntry; given: ReadonlySet<string> }

function changeModels(
  parts: Pick<Operator, 'listModels' | 'planCatalog'> & {
    readOneModel: ReadOneModel
    apply(entry: CatalogEntry, action: string): Promise<PlannedModel>
  },
): Pick<Operator, 'addModel' | 'updateModel'> {
  const { readOneModel, listModels, planCatalog, apply } = parts

  /** Rejects a published model that clients could not use, now or with its planned prices. */
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
      const found = (await listModels()).find((row) => row.name === name)
      const before = requireRow(found, 'model', name)
      const endpoints = given.has('endpoints') ? entry.endpoints : before.endpoints
      const change = { ...entry, modelId: before.modelId, endpoints }
      if (given.has('prices') || entry.published === true) await refuseUnusable(change)
      return apply(change, 'model.update')
    },
  }
}
