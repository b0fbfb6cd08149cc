import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** The models to try in a model's place. */
export function createFallbacks(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('models').addColumn('fallbacks', columns.text).execute()
  }
}
