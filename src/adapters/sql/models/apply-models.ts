import { takenByAlias } from '../../../domain/catalog/alias.ts'
import { FIRST_OWN_MODEL_ID } from '../../../domain/catalog/built-in.ts'
import { type Model, NEW_MODEL_ID, type PricedModel } from '../../../domain/catalog/model.ts'
import { modelConflict, namedModels, removalConflict } from '../../../domain/catalog/model-conflict.ts'
import type { ModelChange, ModelStore } from '../../../ports/models.ts'
import { insertAudit } from '../audit/audits.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { listAliases } from './aliases.ts'
import { fromPriceRow, listModels } from './find-models.ts'

export const APPLY_MODELS = {
  /** Checks before and after the lock, so that a start does not lock a store with models. */
  fillWhenEmpty: write(async (db, models, traits) => {
    if (models.length === 0 || (await hasModel(db))) return false
    await traits.lockTable(db, 'models')
    if (await hasModel(db)) return false
    for (const model of models) {
      await insertModel(db, model)
      await insertPrices(db, model)
    }
    return true
  }),

  /** Locks the models, so that two operators cannot use one number or name twice. Readers continue. */
  apply: write(async (db, changes, audit, traits) => {
    await traits.lockTable(db, 'models')
    const known: Pick<Model, 'modelId' | 'name'>[] = await listModels(db)
    const names = new Set([...known, ...changes.map(({ model }) => model)].map(({ name }) => name))
    if (changes.some((change) => isOutdated(change, known, names))) return undefined
    const aliases = await listAliases(db)
    const modelIds: number[] = []
    for (const { model: wanted, prices } of changes) {
      const conflict = modelConflict(wanted, known)
      if (conflict !== undefined) throw conflict
      const model = wanted.modelId === NEW_MODEL_ID ? { ...wanted, modelId: nextId(known) } : wanted
      modelIds.push(model.modelId)
      if (known.some(({ modelId }) => modelId === model.modelId)) {
        await db
          .updateTable('models')
          .set(changeableColumns(model))
          .where('model_id', '=', model.modelId)
          .execute()
      } else {
        const taken = takenByAlias(model.name, aliases)
        if (taken !== undefined) throw taken
        await insertModel(db, model)
        known.push(model)
      }
      if (prices === undefined) continue
      await db.deleteFrom('model_prices').where('model_id', '=', model.modelId).execute()
      await insertPrices(db, { modelId: model.modelId, prices })
    }
    await insertAudit(db, audit)
    return modelIds
  }),

  remove: write(async (db, name, audit, traits) => {
    await traits.lockTable(db, 'models')
    const { openTasks } = await db
      .selectFrom('video_tasks')
      .select((row) => row.fn.countAll().as('openTasks'))
      .where('status', 'in', ['submitting', 'queued', 'running'])
      .where((row) => row.or([row('model', '=', name), row('served_model', '=', name)]))
      .executeTakeFirstOrThrow()
    const users = { models: await listModels(db), aliases: await listAliases(db) }
    const conflict = removalConflict(name, { ...users, openTasks: Number(openTasks) })
    if (conflict !== undefined) throw conflict
    const ofName = db.selectFrom('models').select('model_id').where('name', '=', name)
    await db.deleteFrom('model_prices').where('model_id', 'in', ofName).execute()
    const { numDeletedRows } = await db.deleteFrom('models').where('name', '=', name).executeTakeFirst()
    if (numDeletedRows > 0n) await insertAudit(db, audit)
  }),
} satisfies Partial<StatementsOf<ModelStore>>

function nextId(known: readonly { modelId: number }[]): number {
  const given = known.map(({ modelId }) => modelId).filter((id) => id < FIRST_OWN_MODEL_ID)
  return Math.max(0, ...given) + 1
}

type Named = Pick<Model, 'name'>

function isOutdated({ model, before }: ModelChange, known: readonly Named[], names: Set<string>): boolean {
  if (before === undefined) return false
  const now = known.find(({ name }) => name === model.name) ?? null
  const old = before === null ? [] : namedModels(before)
  const added = namedModels(model).filter((name) => !old.includes(name))
  return JSON.stringify(now) !== JSON.stringify(before) || !added.every((name) => names.has(name))
}

async function hasModel(db: Db): Promise<boolean> {
  return (await db.selectFrom('models').select('model_id').limit(1).executeTakeFirst()) !== undefined
}

async function insertModel(db: Db, model: Model): Promise<void> {
  await db
    .insertInto('models')
    .values({
      model_id: model.modelId,
      name: model.name,
      ...changeableColumns(model),
      created_at_ms: model.createdAtMs,
    })
    .execute()
}

/** Columns that can change after the creation of a model. */
function changeableColumns(model: Model) {
  const { endpoints, maxOutputTokens, contextTokens, fallbacks = [] } = model
  const { likeModel, fallbackPrice, longContextTokens, vendorPrices = [], route = [], routeBy } = model
  const { standIns = [], nextPrices, pricesTaken, ends, isUnpublished, bounds, watermark } = model
  return {
    endpoints: endpoints === null ? null : JSON.stringify(endpoints),
    max_output_tokens: maxOutputTokens,
    like_model: likeModel ?? null,
    context_tokens: contextTokens ?? null,
    fallbacks: fallbacks.length === 0 ? null : JSON.stringify(fallbacks),
    stand_ins: standIns.length === 0 ? null : JSON.stringify(standIns),
    fallback_price: fallbackPrice ?? null,
    long_context_tokens: longContextTokens ?? null,
    vendor_prices: vendorPrices.length === 0 ? null : JSON.stringify(vendorPrices),
    route: route.length === 0 ? null : JSON.stringify(route),
    route_by: routeBy ?? null,
    next_prices: nextPrices === undefined ? null : JSON.stringify(nextPrices),
    prices_taken: pricesTaken ?? null,
    ends: ends ?? null,
    bounds: bounds === undefined ? null : JSON.stringify(bounds),
    watermark: watermark ?? null,
    unpublished: isUnpublished ?? false,
  }
}

async function insertPrices(
  db: Db,
  { modelId, prices }: Pick<PricedModel, 'modelId' | 'prices'>,
): Promise<void> {
  if (prices.length === 0) return
  await db
    .insertInto('model_prices')
    .values(prices.map((row) => fromPriceRow(modelId, row)))
    .execute()
}
