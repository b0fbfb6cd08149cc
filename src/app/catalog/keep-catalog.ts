import { builtInModels } from '../../domain/catalog/built-in.ts'
import type { CatalogEntry, PricedModel } from '../../domain/catalog/model.ts'
import { pricedAt } from '../../domain/catalog/priced-at.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { syncModelPrice } from '../limits/sync/sync-model-price.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { changeModels, type ReadOneModel } from './change-models.ts'
import { formatDifference, type PlannedModel, planCatalog } from './plan-catalog.ts'
import { removeModel } from './remove-model.ts'

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
