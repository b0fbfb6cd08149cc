import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What text requests with an `Idempotency-Key` have claimed. */
export function createRequestClaims(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('request_claims')
      .addColumn('api_key_id', columns.id, (column) => column.notNull())
      .addColumn('key_digest', columns.id, (column) => column.notNull())
      .addColumn('id', columns.id, (column) => column.notNull().unique())
      .addColumn('body_digest', columns.id, (column) => column.notNull())
      .addColumn('state', columns.text, (column) =>
        column.notNull().check(sql`state in ('claimed', 'finished')`),
      )
      .addColumn('lease_until_ms', columns.integer, (column) => column.notNull())
      .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('request_claims_once', ['api_key_id', 'key_digest'])
      .modifyEnd(columns.strict)
      .execute()
    await sql`create index request_claims_over on request_claims (expires_at_ms)`.execute(db)
  }
}
