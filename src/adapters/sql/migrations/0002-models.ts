import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

export function createModels(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('models')
      .addColumn('model_id', 'integer', (column) => column.primaryKey().notNull().check(sql`model_id > 0`))
      .addColumn('name', columns.text, (column) => column.notNull().unique())
      .addColumn('endpoints', columns.text)
      .addColumn('max_output_tokens', columns.integer, (column) => column.check(sql`max_output_tokens > 0`))
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
  }
}
