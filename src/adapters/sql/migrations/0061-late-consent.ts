import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Revocations without an entry in the chain are found by an index, and a verification knows who was erased while it ended. */
export function createLateConsent(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .alterTable('revocations')
      .addColumn('has_receipt', columns.boolean, (column) => column.notNull().defaultTo(columns.no))
      .execute()
    await sql`
      update revocations set has_receipt = not has_receipt
      where exists (select 1 from receipts where receipts.id = revocations.group_id)`.execute(db)
    await sql`
      create index revocations_owing_receipts on revocations (revoked_at_ms, group_id)
      where not has_receipt`.execute(db)
    await db.schema.alterTable('verifications').addColumn('erased_tickets', columns.text).execute()
  }
}
