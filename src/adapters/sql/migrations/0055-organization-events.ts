import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What organizations are told at their own address, such as that a person took the consent back. */
export function createOrganizationEvents(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('organizations').addColumn('events_url', columns.text).execute()
    await db.schema
      .createTable('organization_events')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
      .addColumn('type', columns.text, (column) => column.notNull())
      .addColumn('subject', columns.id, (column) => column.notNull())
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('state', columns.text, (column) =>
        column.notNull().check(sql`state in ('pending', 'delivered', 'given-up')`),
      )
      .addColumn('attempt_count', columns.integer, (column) => column.notNull().defaultTo(0))
      .addColumn('attempts_allowed', columns.integer, (column) => column.notNull())
      .addColumn('next_attempt_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('fence', columns.integer, (column) => column.notNull().defaultTo(0))
      .addColumn('last_status', columns.integer)
      .addColumn('last_error', columns.text)
      .modifyEnd(columns.strict)
      .execute()
    await sql`
      create index organization_events_due on organization_events (organization_id, next_attempt_at_ms)
      where state = 'pending'`.execute(db)
  }
}
