import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** One row for the whole deployment: what proves that a process has the secret this store was made with. */
export function createDeployment(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('deployment')
      .addColumn('id', columns.integer, (column) => column.primaryKey().notNull())
      .addColumn('sealed', columns.text, (column) => column.notNull())
      .addColumn('probed_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
  }
}
