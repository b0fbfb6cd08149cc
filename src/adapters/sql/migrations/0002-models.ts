import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

export function createModels(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('models')
      .addColumn('model_id', 'integer', (column) =>
        column.primaryKey().notNull().check(sql`model_id between 1 and 2147483647`),
      )
      .addColumn('name', columns.text, (column) => column.notNull().unique())
      .addColumn('endpoints', columns.text)
      .addColumn('max_output_tokens', columns.integer, (column) =>
        column.check(sql`max_output_tokens between 1 and 2147483647`),
      )
      .addColumn('created_at_ms', columns.integer, (column) =>
        column.notNull().check(sql`created_at_ms between 0 and 9007199254740991`),
      )
      .modifyEnd(columns.strict)
      .execute()
  }
}
