import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

const TABLES = {
  usage_rollup_day_model: ['model'],
  usage_rollup_day_key: ['user_id', 'api_key_id'],
}

const COUNTS = [
  ...['requests', 'errors', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'],
  ...['video_ms', 'cost_micros'],
  ...['first_byte_100', 'first_byte_250', 'first_byte_500', 'first_byte_1000', 'first_byte_2500'],
  ...['first_byte_5000', 'first_byte_10000', 'first_byte_more'],
  ...['duration_250', 'duration_1000', 'duration_2500', 'duration_5000', 'duration_15000', 'duration_60000'],
  ...['duration_300000', 'duration_more'],
]

/** Sums of days that are over, with fewer rows than the rollups of days, and up to which day there are such sums. */
export function createClosedDays(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    for (const [name, keys] of Object.entries(TABLES)) await createSums(db, { name, keys, columns })
    await db.schema
      .alterTable('usage_retention')
      .addColumn('closed_to_ms', columns.integer, (column) => column.notNull().defaultTo(0))
      .execute()
  }
}

async function createSums(
  db: Kysely<unknown>,
  { name, keys, columns }: { name: string; keys: readonly string[]; columns: ColumnTypes },
): Promise<void> {
  let table = db.schema
    .createTable(name)
    .addColumn('starts_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull())
  for (const key of keys) table = table.addColumn(key, columns.id, (column) => column.notNull())
  for (const count of COUNTS) table = table.addColumn(count, columns.integer, (column) => column.notNull())
  const once = ['starts_at_ms', 'organization_id', ...keys] as never[]
  await table.addPrimaryKeyConstraint(`${name}_once`, once).modifyEnd(columns.strict).execute()
  await sql`
    create index ${sql.ref(`${name}_of`)} on ${sql.ref(name)} (organization_id, starts_at_ms)`.execute(db)
}
