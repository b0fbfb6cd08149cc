import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Which organization got which id from a vendor whose account all of them share. */
export function createVendorIds(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('vendor_ids')
      .addColumn('digest', columns.id, (column) => column.notNull())
      .addColumn('organization_id', columns.id, (column) => column.notNull())
      .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('vendor_ids_once', ['digest', 'organization_id'])
      .modifyEnd(columns.strict)
      .execute()
    await db.schema.createIndex('vendor_ids_expiry').on('vendor_ids').column('expires_at_ms').execute()
  }
}
