import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** The vendor's copies of what was erased here, until the vendor has removed them. */
export function createVendorRemovals(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('vendor_removals')
      .addColumn('provider', columns.text, (column) => column.notNull())
      .addColumn('kind', columns.text, (column) => column.notNull().check(sql`kind in ('asset', 'group')`))
      .addColumn('ticket', columns.text, (column) => column.notNull())
      .addColumn('group_ticket', columns.text, (column) => column.notNull())
      .addColumn('organization_id', columns.id, (column) => column.notNull())
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('due_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('attempts', columns.integer, (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('vendor_removals_once', ['provider', 'kind', 'ticket'])
      .modifyEnd(columns.strict)
      .execute()
    await sql`create index vendor_removals_due on vendor_removals (provider, due_at_ms)`.execute(db)
    await sql`create index vendor_removals_of_group on vendor_removals (provider, group_ticket)`.execute(db)
  }
}
