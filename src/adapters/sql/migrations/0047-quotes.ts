import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** The quotes that were used, each by one task, and what a settlement would have cost beyond its quote. */
export function createQuotes(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('video_quotes')
      .addColumn('id', columns.id, (column) => column.primaryKey())
      .addColumn('task_id', columns.id, (column) =>
        column.notNull().unique().references('video_tasks.id').onDelete('cascade'),
      )
      .modifyEnd(columns.strict)
      .execute()
    await db.schema
      .alterTable('ledger_entries')
      .addColumn('quote_loss_micros', columns.integer, (column) => column.notNull().defaultTo(0))
      .execute()
  }
}
