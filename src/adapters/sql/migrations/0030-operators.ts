import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Operators with a token of their own. A name is never given twice: the audit log tells them apart by it. */
export function createOperators(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('operators')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('name', columns.id, (column) => column.notNull().unique())
      .addColumn('role', columns.text, (column) =>
        column.notNull().check(sql`role in ('viewer', 'operator', 'owner')`),
      )
      .addColumn('prefix', columns.text, (column) => column.notNull())
      .addColumn('digest', columns.id, (column) => column.notNull().unique())
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('revoked_at_ms', columns.integer)
      .modifyEnd(columns.strict)
      .execute()
  }
}
