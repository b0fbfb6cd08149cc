import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Until when a key works, and for which models; null: without an end, for all of them. */
export function createKeyTerms(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    const keys = db.schema.alterTable('api_keys')
    await keys
      .addColumn('expires_at_ms', columns.integer, (column) =>
        column.check(sql`expires_at_ms between 0 and 9007199254740991`),
      )
      .execute()
    await keys.addColumn('allowed_models', columns.text).execute()
  }
}
