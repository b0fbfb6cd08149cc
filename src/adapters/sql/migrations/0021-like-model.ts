import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** The video model that a model works like: an operator can give a known one another name, provider and price. */
export function createLikeModel(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('models').addColumn('like_model', columns.text).execute()
  }
}
