import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** The usage row that a refund is for, and the day it lowers: the row itself may be dropped before the entry. */
export function createTextRefunds(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    const entries = db.schema.alterTable('ledger_entries')
    await entries.addColumn('usage_id', columns.id).execute()
    await entries.addColumn('usage_day', columns.text).execute()
    await sql`
      create index ledger_entries_usage_refunds on ledger_entries (usage_id) where usage_id is not null`.execute(
      db,
    )
  }
}
