import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** A receipt of a text request is found by the id of the request also when the usage row is dropped. */
export function createReceiptsOfRequests(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('receipts').addColumn('request_id', columns.id).execute()
    await sql`
      update receipts set request_id = (select request_id from text_usage where text_usage.id = receipts.id)
      where id like 'use%'`.execute(db)
    await sql`
      create index receipts_of_requests on receipts (request_id) where request_id is not null`.execute(db)
  }
}
