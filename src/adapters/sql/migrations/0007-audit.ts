import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Names rows of other tables without a reference: what was done stays said when they are gone. */
export function createAudit(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('audit_events')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('at_ms', columns.integer, (column) => column.notNull())
      .addColumn('actor', columns.text, (column) => column.notNull())
      .addColumn('action', columns.text, (column) => column.notNull())
      .addColumn('organization_id', columns.id)
      .addColumn('subject', columns.text, (column) => column.notNull())
      .addColumn('detail', columns.text, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
  }
}
