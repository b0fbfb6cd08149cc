import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Key and user are named without a reference: a task outlives them, because its money does. */
export function createVideoTasks(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('video_tasks')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('api_key_id', columns.id, (column) => column.notNull())
      .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
      .addColumn('user_id', columns.id, (column) => column.notNull())
      .addColumn('model', columns.text, (column) => column.notNull())
      .addColumn('status', columns.text, (column) =>
        column
          .notNull()
          .check(sql`status in ('submitting', 'queued', 'running', 'succeeded', 'failed', 'cancelled')`),
      )
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('completed_at_ms', columns.integer)
      .addColumn('deleted_at_ms', columns.integer)
      .modifyEnd(columns.strict)
      .execute()
    await sql`
      create index video_tasks_listed on video_tasks (api_key_id, created_at_ms desc, id desc)
      where deleted_at_ms is null and status <> 'submitting'`.execute(db)
  }
}
