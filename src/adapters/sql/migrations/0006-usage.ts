import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

const COUNTS = ['input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens', 'cost_micros']

/** One row per text request. Rows that were written together share one ledger entry. */
export function createUsage(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    let table = db.schema
      .createTable('text_usage')
      .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
      .addColumn('user_id', columns.id, (column) => column.notNull())
      .addColumn('api_key_id', columns.id, (column) => column.notNull())
      .addColumn('model', columns.text, (column) => column.notNull())
      .addColumn('day', columns.text, (column) => column.notNull())
    for (const name of COUNTS) {
      table = table.addColumn(name, columns.integer, (column) =>
        column.notNull().check(sql`${sql.ref(name)} >= 0`),
      )
    }
    await table
      .addColumn('outcome', columns.text, (column) =>
        column.notNull().check(sql`outcome in ('completed', 'failed', 'hung-up')`),
      )
      .addColumn('first_byte_ms', columns.integer)
      .addColumn('duration_ms', columns.integer, (column) => column.notNull())
      .addColumn('losses', columns.text)
      .addColumn('entry_id', columns.id, (column) => column.notNull())
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
    await sql`create index text_usage_of_entry on text_usage (entry_id)`.execute(db)
  }
}
