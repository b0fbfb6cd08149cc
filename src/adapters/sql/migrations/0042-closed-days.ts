import { type RawBuilder, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import type { MigrationStep } from '../migration-step.ts'
import { COUNTS } from './0022-usage-rollups.ts'

/** Sums of past days, which have fewer rows than the rollups, and the day up to which they exist. */
export const createClosedDays: MigrationStep = (columns) => [
  ...createSums('usage_rollup_day_model', ['model'], columns),
  ...createSums('usage_rollup_day_key', ['user_id', 'api_key_id'], columns),
  sql`alter table usage_retention add column closed_to_ms ${columns.integer} default 0 not null`,
]

function createSums(
  name: string,
  keys: readonly string[],
  { id, integer, strict }: ColumnTypes,
): RawBuilder<unknown>[] {
  const columns = [
    ...keys.map((key) => sql`${sql.ref(key)} ${id} not null`),
    ...COUNTS.map((count) => sql`${sql.ref(count)} ${integer} not null`),
  ]
  return [
    sql`
      create table ${sql.ref(name)} (
        starts_at_ms ${integer} not null,
        organization_id ${id} not null,
        ${sql.join(columns)},
        constraint ${sql.ref(`${name}_once`)}
          primary key (starts_at_ms, organization_id, ${sql.join(keys.map((key) => sql.ref(key)))})
      ) ${strict}`,
    sql`create index ${sql.ref(`${name}_of`)} on ${sql.ref(name)} (organization_id, starts_at_ms)`,
  ]
}
