import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/**
 * Signed receipts, one chain for each organization, and the keys that sign them. Tasks from before have no order that a
 * receipt could show, and owe none; theirs is made when a client asks for it.
 */
export function createReceipts(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('receipts')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('organization_id', columns.id, (column) => column.notNull())
      .addColumn('api_key_id', columns.id)
      .addColumn('number', columns.integer, (column) => column.notNull())
      .addColumn('hash', columns.id, (column) => column.notNull())
      .addColumn('jws', columns.text, (column) => column.notNull())
      .addColumn('made_at_ms', columns.integer, (column) => column.notNull())
      .addUniqueConstraint('receipts_in_a_chain', ['organization_id', 'number'])
      .modifyEnd(columns.strict)
      .execute()
    await db.schema
      .createTable('receipt_keys')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('public_key', columns.text, (column) => column.notNull())
      .addColumn('sealed_private_key', columns.text)
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
    await db.schema.alterTable('video_tasks').addColumn('ordered', columns.text).execute()
    await db.schema
      .alterTable('video_tasks')
      .addColumn('owes_receipt', columns.boolean, (column) => column.notNull().defaultTo(columns.no))
      .execute()
    await sql`
      create index video_tasks_owing_receipts on video_tasks (id)
      where owes_receipt and completed_at_ms is not null`.execute(db)
  }
}
