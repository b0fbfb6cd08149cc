import { type RawBuilder, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import type { MigrationStep } from '../migration-step.ts'

/** Columns of sums in `0022-usage-rollups` and `0042-closed-days`. */
export const COUNTS = [
  ...['requests', 'errors', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'],
  ...['video_ms', 'cost_micros'],
  ...['first_byte_100', 'first_byte_250', 'first_byte_500', 'first_byte_1000', 'first_byte_2500'],
  ...['first_byte_5000', 'first_byte_10000', 'first_byte_more'],
  ...['duration_250', 'duration_1000', 'duration_2500', 'duration_5000', 'duration_15000', 'duration_60000'],
  ...['duration_300000', 'duration_more'],
]

/** Sums of usage by hour and by day, the columns to count rows by, and the age of the oldest rows. */
export const createUsageRollups: MigrationStep = (columns) => {
  const { id, text, integer, strict } = columns
  return [
    ...createRollup('usage_rollup_hour', columns),
    ...createRollup('usage_rollup_day', columns),
    // `charged_at_ms` is the time of the entry; null: the rollups lack the row of an older version.
    sql`alter table text_usage add column request_id ${id}`,
    sql`alter table text_usage add column provider ${text}`,
    sql`alter table text_usage add column price_model ${text}`,
    sql`alter table text_usage add column vendor_usage ${text}`,
    sql`alter table text_usage add column charged_at_ms ${integer}`,
    sql`create index text_usage_of_request on text_usage (request_id) where request_id is not null`,
    sql`create index text_usage_by_time on text_usage (charged_at_ms) where charged_at_ms is not null`,
    sql`create index text_usage_uncounted on text_usage (entry_id) where charged_at_ms is null`,
    // Keys of a settlement or a refund in the rollups; null: the rollups lack it.
    sql`alter table ledger_entries add column user_id ${id}`,
    sql`alter table ledger_entries add column api_key_id ${id}`,
    sql`alter table ledger_entries add column model ${text}`,
    sql`alter table ledger_entries add column outcome ${text}`,
    sql`alter table ledger_entries add column video_ms ${integer}`,
    sql`alter table ledger_entries add column duration_ms ${integer}`,
    sql`
      create index ledger_entries_uncounted on ledger_entries (id)
      where kind in ('settlement', 'refund') and model is null`,
    sql`
      create index ledger_entries_counted_by_time on ledger_entries (created_at_ms)
      where kind in ('settlement', 'refund') and model is not null`,
    // Checks leave out rows older than these times, which may have been dropped.
    sql`
      create table usage_retention (
        id ${integer} primary key not null check (id = 1),
        rows_from_ms ${integer} not null,
        hours_from_ms ${integer} not null
      ) ${strict}`,
  ]
}

function createRollup(name: string, { id, text, integer, strict }: ColumnTypes): RawBuilder<unknown>[] {
  const counts = COUNTS.map((count) => sql`${sql.ref(count)} ${integer} not null`)
  return [
    sql`
      create table ${sql.ref(name)} (
        organization_id ${id} not null,
        starts_at_ms ${integer} not null,
        user_id ${id} not null,
        api_key_id ${id} not null,
        model ${id} not null,
        outcome ${text} not null,
        ${sql.join(counts)},
        constraint ${sql.ref(`${name}_once`)}
          primary key (organization_id, starts_at_ms, user_id, api_key_id, model, outcome)
      ) ${strict}`,
    sql`create index ${sql.ref(`${name}_by_time`)} on ${sql.ref(name)} (starts_at_ms)`,
  ]
}
