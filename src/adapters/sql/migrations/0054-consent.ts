import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** The people who took their consent back, and the tasks whose results are withheld because of it. */
export function createConsent(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    // The group itself is gone: a link that is opened again must still say what became of it.
    await db.schema
      .createTable('revocations')
      .addColumn('group_id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
      .addColumn('verified_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('revoked_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
    await sql`create index revocations_of on revocations (organization_id, revoked_at_ms)`.execute(db)
    await db.schema.alterTable('video_tasks').addColumn('withheld_at_ms', columns.integer).execute()
  }
}
