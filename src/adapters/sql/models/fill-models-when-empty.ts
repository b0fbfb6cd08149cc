import type { Kysely } from 'kysely'
import type { PricedModel } from '../../../domain/catalog/priced-model.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { insertModel, insertPrices } from './insert-model.ts'

/** Looks twice, so that a store that has its models already is not locked at every start. */
export async function fillModelsWhenEmpty(
  db: Kysely<Tables>,
  { models }: { models: readonly PricedModel[] },
  traits: EngineTraits,
): Promise<boolean> {
  if (models.length === 0 || (await hasModel(db))) return false
  await traits.lockTable(db, 'models')
  if (await hasModel(db)) return false
  for (const model of models) {
    await insertModel(db, model)
    await insertPrices(db, model)
  }
  return true
}

async function hasModel(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('models').select('model_id').limit(1).executeTakeFirst()) !== undefined
}
