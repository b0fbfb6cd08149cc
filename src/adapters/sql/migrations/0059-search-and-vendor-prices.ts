import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Organizations are found by the beginning of their name; models keep what their vendor charges. */
export function createSearchAndVendorPrices(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .alterTable('organizations')
      .addColumn('folded_name', columns.id, (column) =>
        column.modifyEnd(sql`generated always as (lower(name)) ${columns.computed}`),
      )
      .execute()
    await db.schema
      .createIndex('organizations_by_name')
      .on('organizations')
      .columns(['folded_name', 'id'])
      .execute()
    await db.schema.alterTable('models').addColumn('vendor_prices', columns.text).execute()
  }
}
