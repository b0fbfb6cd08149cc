import type { Kysely } from 'kysely'
import type { Model } from '../../../domain/catalog/model.ts'
import type { Tables } from '../tables.ts'
import { toModel } from './to-model.ts'

export async function listModels(db: Kysely<Tables>, _all: Record<string, never>): Promise<Model[]> {
  const rows = await db
    .selectFrom('models')
    .select(['model_id', 'name', 'endpoints', 'max_output_tokens', 'created_at_ms'])
    .orderBy('model_id')
    .execute()
  return rows.map(toModel)
}
