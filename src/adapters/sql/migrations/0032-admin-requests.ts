import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What operators' requests with an `Idempotency-Key` came to; the answer is encrypted, because it may show a new key. */
export function createAdminRequests(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('admin_requests')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('actor', columns.id, (column) => column.notNull())
      .addColumn('key_digest', columns.id, (column) => column.notNull())
      .addColumn('body_digest', columns.id, (column) => column.notNull())
      .addColumn('state', columns.text, (column) =>
        column.notNull().check(sql`state in ('claimed', 'done', 'finished')`),
      )
      .addColumn('lease_until_ms', columns.integer, (column) => column.notNull())
      .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('sealed_answer', columns.text)
      .addUniqueConstraint('admin_requests_once', ['actor', 'key_digest'])
      .modifyEnd(columns.strict)
      .execute()
    await sql`create index admin_requests_over on admin_requests (expires_at_ms)`.execute(db)
  }
}
