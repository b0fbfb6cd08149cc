import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Replies that clients read again, encrypted, where no Redis keeps them. */
export function createKeptValues(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('kept_values')
      .addColumn('key', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('value', columns.text, (column) => column.notNull())
      .addColumn('share', columns.id)
      .addColumn('bytes', columns.integer, (column) => column.notNull())
      .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
    await sql`create index kept_values_over on kept_values (expires_at_ms)`.execute(db)
    await sql`
      create index kept_values_of on kept_values (share, expires_at_ms, bytes) where share is not null`.execute(
      db,
    )
  }
}
