import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What vendors reported when a task moved: at most one row for each status, so a task has a handful at most. */
export function createTaskSnapshots(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('task_snapshots')
      .addColumn('task_id', columns.id, (column) =>
        column.notNull().references('video_tasks.id').onDelete('cascade'),
      )
      .addColumn('status', columns.id, (column) => column.notNull())
      .addColumn('at_ms', columns.integer, (column) => column.notNull())
      .addColumn('error_code', columns.text)
      .addColumn('error_message', columns.text)
      .addColumn('measured', columns.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('task_snapshots_once', ['task_id', 'status'])
      .modifyEnd(columns.strict)
      .execute()
  }
}
