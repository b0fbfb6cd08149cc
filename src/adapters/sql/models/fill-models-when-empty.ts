import type { Kysely } from 'kysely'
import type { Model } from '../../../domain/catalog/model.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'

/** Looks twice, so that a store that has its models already is not locked at every start. */
export async function fillModelsWhenEmpty(
  db: Kysely<Tables>,
  { models }: { models: readonly Model[] },
  traits: EngineTraits,
): Promise<boolean> {
  if (models.length === 0 || (await hasModel(db))) return false
  await traits.lockTable(db, 'models')
  if (await hasModel(db)) return false
  await db.insertInto('models').values(models.map(toRow)).execute()
  return true
}

async function hasModel(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('models').select('model_id').limit(1).executeTakeFirst()) !== undefined
}

function toRow(model: Model): Tables['models'] {
  return {
    model_id: model.modelId,
    name: model.name,
    endpoints: model.endpoints === null ? null : JSON.stringify(model.endpoints),
    max_output_tokens: model.maxOutputTokens,
    created_at_ms: model.createdAtMs,
  }
}
