import type { Kysely } from 'kysely'
import { modelConflict } from '../../../domain/catalog/model-conflict.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { ModelChange } from '../../../ports/models.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { changeableColumns, insertModel, insertPrices } from './insert-model.ts'

/** The lock keeps two operators from giving one number or one name away twice; readers go on. */
export async function applyModels(
  db: Kysely<Tables>,
  { changes, audit }: { changes: readonly ModelChange[]; audit: NewAudit },
  traits: EngineTraits,
): Promise<void> {
  await traits.lockTable(db, 'models')
  const known = await listNumbers(db)
  for (const { model, prices } of changes) {
    const conflict = modelConflict(model, known)
    if (conflict !== undefined) throw conflict
    if (known.some(({ modelId }) => modelId === model.modelId)) {
      await db
        .updateTable('models')
        .set(changeableColumns(model))
        .where('model_id', '=', model.modelId)
        .execute()
    } else {
      await insertModel(db, model)
      known.push(model)
    }
    if (prices === undefined) continue
    await db.deleteFrom('model_prices').where('model_id', '=', model.modelId).execute()
    await insertPrices(db, { modelId: model.modelId, prices })
  }
  await insertAudit(db, audit)
}

async function listNumbers(db: Kysely<Tables>): Promise<{ modelId: number; name: string }[]> {
  const rows = await db.selectFrom('models').select(['model_id', 'name']).execute()
  return rows.map(({ model_id, name }) => ({ modelId: model_id, name }))
}
