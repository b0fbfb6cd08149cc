import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

const COUNTS = [
  ...['requests', 'errors', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'],
  ...['video_ms', 'cost_micros'],
  ...['first_byte_100', 'first_byte_250', 'first_byte_500', 'first_byte_1000', 'first_byte_2500'],
  ...['first_byte_5000', 'first_byte_10000', 'first_byte_more'],
  ...['duration_250', 'duration_1000', 'duration_2500', 'duration_5000', 'duration_15000', 'duration_60000'],
  ...['duration_300000', 'duration_more'],
]

/** Sums of usage by hour and by day, what every row and entry needs to be counted in them, and how far back rows go. */
export function createUsageRollups(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    for (const table of ['usage_rollup_hour', 'usage_rollup_day']) await createRollup(db, table, columns)
    await traceRows(db, columns)
    await traceEntries(db, columns)
    await createRetention(db, columns)
  }
}

async function createRollup(db: Kysely<unknown>, name: string, columns: ColumnTypes): Promise<void> {
  let table = db.schema
    .createTable(name)
    .addColumn('organization_id', columns.id, (column) => column.notNull())
    .addColumn('starts_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('user_id', columns.id, (column) => column.notNull())
    .addColumn('api_key_id', columns.id, (column) => column.notNull())
    .addColumn('model', columns.id, (column) => column.notNull())
    .addColumn('outcome', columns.text, (column) => column.notNull())
  for (const count of COUNTS) table = table.addColumn(count, columns.integer, (column) => column.notNull())
  await table
    .addPrimaryKeyConstraint(`${name}_once`, [
      ...(['organization_id', 'starts_at_ms', 'user_id', 'api_key_id', 'model', 'outcome'] as const),
    ])
    .modifyEnd(columns.strict)
    .execute()
  await sql`create index ${sql.ref(`${name}_by_time`)} on ${sql.ref(name)} (starts_at_ms)`.execute(db)
}

/** `charged_at_ms` is the moment of the row's entry. Without it the row is not in the rollups yet: an older program wrote it. */
async function traceRows(db: Kysely<unknown>, { id, text, integer }: ColumnTypes): Promise<void> {
  const rows = db.schema.alterTable('text_usage')
  await rows.addColumn('request_id', id).execute()
  await rows.addColumn('provider', text).execute()
  await rows.addColumn('price_model', text).execute()
  await rows.addColumn('vendor_usage', text).execute()
  await rows.addColumn('charged_at_ms', integer).execute()
  await sql`
    create index text_usage_of_request on text_usage (request_id) where request_id is not null`.execute(db)
  await sql`create index text_usage_by_time on text_usage (charged_at_ms) where charged_at_ms is not null`.execute(
    db,
  )
  await sql`create index text_usage_uncounted on text_usage (entry_id) where charged_at_ms is null`.execute(
    db,
  )
}

/** A settlement and a refund name what they are counted under. Without a model they are not in the rollups yet. */
async function traceEntries(db: Kysely<unknown>, { id, text, integer }: ColumnTypes): Promise<void> {
  const entries = db.schema.alterTable('ledger_entries')
  await entries.addColumn('user_id', id).execute()
  await entries.addColumn('api_key_id', id).execute()
  await entries.addColumn('model', text).execute()
  await entries.addColumn('outcome', text).execute()
  await entries.addColumn('video_ms', integer).execute()
  await entries.addColumn('duration_ms', integer).execute()
  await sql`
    create index ledger_entries_uncounted on ledger_entries (id)
    where kind in ('settlement', 'refund') and model is null`.execute(db)
  await sql`
    create index ledger_entries_counted_by_time on ledger_entries (created_at_ms)
    where kind in ('settlement', 'refund') and model is not null`.execute(db)
}

/** Checks leave out what is older than these moments, because it was dropped. */
async function createRetention(db: Kysely<unknown>, { integer, strict }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('usage_retention')
    .addColumn('id', integer, (column) => column.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('rows_from_ms', integer, (column) => column.notNull())
    .addColumn('hours_from_ms', integer, (column) => column.notNull())
    .modifyEnd(strict)
    .execute()
}
