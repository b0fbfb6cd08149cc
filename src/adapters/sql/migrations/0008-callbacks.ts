import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** A task that has a `callback_url` may still owe none; which it is, is decided when the task is made. */
export function createCallbacks(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('video_tasks').addColumn('callback_url', columns.text).execute()
    await db.schema
      .alterTable('video_tasks')
      .addColumn('owes_callback', columns.boolean, (column) => column.notNull().defaultTo(columns.no))
      .execute()
    await db.schema
      .createTable('video_callbacks')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('task_id', columns.id, (column) => column.notNull().unique().references('video_tasks.id'))
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
  }
}
