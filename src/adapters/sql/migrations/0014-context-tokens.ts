import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** How much a model can read: what a request reserves whose input cannot be counted here. */
export function createContextTokens(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .alterTable('models')
      .addColumn('context_tokens', columns.integer, (column) =>
        column.check(sql`context_tokens between 1 and 2147483647`),
      )
      .execute()
  }
}
