import { ApiError } from '../../domain/api-error.ts'
import { builtInModels } from '../../domain/catalog/built-in.ts'
import { catalogWarnings } from '../../domain/catalog/catalog-warnings.ts'
import type { CatalogEntry, PricedModel } from '../../domain/catalog/model.ts'
import { pricedAt } from '../../domain/catalog/priced-at.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { ModelStore } from '../../ports/models.ts'
import { requireRow } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { syncModelPrice } from '../limits/sync/copy-entry.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { formatDifference, type PlannedModel, planCatalog } from './plan-catalog.ts'

type CatalogTools = AuditTools & Pick<Runtime, 'cache' | 'log'> & { models: ModelStore }

export function keepCatalog(
  parts: CatalogTools & { readOneModel: ReadOneModel },
): Pick<
  Operator,
  'listModels' | 'planCatalog' | 'applyCatalog' | 'removeModel' | 'addModel' | 'updateModel'
> {
  const { models, clock, readOneModel } = parts
  const listModels = async () => (await storedCatalog(parts)).map((model) => pricedAt(model, clock.nowMs()))
  const plan: Operator['planCatalog'] = async (entries) =>
    planCatalog(entries, {
      stored: await listModels(),
      aliases: await models.aliases(),
      nowMs: clock.nowMs(),
    })
  const find = async (name: string) => {
    const found = (await listModels()).find((row) => row.name === name)
    return requireRow(found, 'model', name)
  }

  async function applyOne(entry: CatalogEntry, action: string): Promise<PlannedModel> {
    const [planned] = await applyCatalog(parts, [entry], { action, subject: entry.name })
    if (planned === undefined) throw new Error('applyCatalog returned no plan for the model')
    return planned
  }

  /** Rejects a published model that clients could not use, now or with its planned prices. */
  async function refuseUnusable(entry: CatalogEntry): Promise<void> {
    const [planned] = await plan([entry])
    const { isUnpublished, nextPrices: next } = planned?.model ?? {}
    const later = planned && next && catalogWarnings({ ...planned.model, prices: next.prices })
    const fault = isUnpublished ? undefined : (planned?.warnings[0] ?? later?.[0])
    if (fault !== undefined)
      throw new ApiError('invalid_parameter', { param: 'prices', message: `${entry.name}: ${fault}.` })
  }

  return {
    listModels,
    planCatalog: plan,
    applyCatalog: (entries) => applyCatalog(parts, entries),

    async addModel(text) {
      const { entry } = readOneModel(text, undefined)
      await refuseUnusable(entry)
      return applyOne(entry, 'model.add')
    },

    async updateModel(name, text) {
      const { entry, given } = readOneModel(text, name)
      const { modelId } = await find(name)
      const change = { ...entry, modelId, endpoints: given.has('endpoints') ? entry.endpoints : undefined }
      if (given.has('prices') || entry.published === true) await refuseUnusable(change)
      return applyOne(change, 'model.update')
    },

    /** Usage, receipts and the ledger keep the name of a removed model. */
    async removeModel(name) {
      const model = await find(name)
      const detail = { model_id: String(model.modelId) }
      const act = { action: 'model.remove', organizationId: null, subject: name, detail }
      await models.remove(name, draftAudit(act, parts))
      await announce([model.modelId], parts)
      return model
    },
  }
}

/** Fills an empty store with the built-in models first, because they are not added once an operator has applied a catalog. */
async function storedCatalog({ models, clock }: CatalogTools): Promise<PricedModel[]> {
  await models.fillWhenEmpty(builtInModels(clock.nowMs()))
  return models.list()
}

/** A catalog that changes nothing leaves no audit row. If a model changes before the write, the catalog is planned again. */
async function applyCatalog(
  parts: CatalogTools,
  entries: readonly CatalogEntry[],
  act?: Pick<NewAudit, 'action' | 'subject'>,
): Promise<PlannedModel[]> {
  const { models, clock } = parts
  const rows = await storedCatalog(parts)
  const stored = rows.map((row) => pricedAt(row, clock.nowMs()))
  const aliases = await models.aliases()
  const plan = planCatalog(entries, { stored, aliases, nowMs: clock.nowMs() })
  const changed = plan.filter(({ change }) => change !== 'unchanged')
  if (changed.length === 0) return plan
  // Planned prices that are due are written with the next change of their model.
  const due = rows.filter((row, index) => row !== stored[index])
  const given = entries.filter(({ prices }) => prices !== undefined)
  const withPrices = new Set([...due, ...given].map(({ name }) => name))
  const modelIds = await models.apply(
    changed.map(({ model: { prices, ...model } }) => ({
      model,
      prices: withPrices.has(model.name) ? prices : undefined,
      before: rows.find(({ name }) => name === model.name) ?? null,
    })),
    draftAudit({ ...describeAct(changed), ...act }, parts),
  )
  if (modelIds === undefined) return applyCatalog(parts, entries, act)
  await announce(modelIds, parts)
  return plan.map((planned) => {
    const modelId = modelIds[changed.indexOf(planned)] ?? planned.model.modelId
    return { ...planned, model: { ...planned.model, modelId } }
  })
}

/** Never rejects, because the change is stored and replicas see it later without the message. */
async function announce(modelIds: readonly number[], { log, ...tools }: CatalogTools): Promise<void> {
  const sync = syncModelPrice(tools)
  await Promise.all(modelIds.map((modelId) => sync(modelId))).catch((error: unknown) =>
    log.warn('prices.announce_failed', { error }),
  )
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

/** Reads one model from YAML or JSON; `name` is the model that changes. Throws an `ApiError` with every fault. */
type ReadOneModel = (
  text: string,
  name: string | undefined,
) => { entry: CatalogEntry; given: ReadonlySet<string> }
