import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import {
  COUNT_COLUMNS,
  DURATION_BOUNDS,
  FIRST_BYTE_BOUNDS,
  KEY_COLUMNS,
  ROLLUPS,
} from '../../usage/rollups.ts'
import type { RollupCounts } from '../../usage-tables.ts'
import type { Invariant } from './invariant.ts'

/**
 * Each rollup of an hour or a day has what its usage rows, settlements and refunds add up to, and none of them is
 * missing. Rows that an older program wrote are left out until `count-late-usage.ts` has counted them.
 */
export const rollupsAreTheSumOfTheirRows: Invariant = async (db, { limit }) => {
  const violations: { subject: string; message: string }[] = []
  for (const rollup of ROLLUPS) violations.push(...(await unequalTo(db, rollup, limit)))
  return violations.slice(0, limit)
}

/** Everything of both sides in one pass: what is left of a key after its rows are taken off must be nothing. */
async function unequalTo(
  db: Kysely<Tables>,
  { table, lengthMs }: (typeof ROLLUPS)[number],
  limit: number,
): Promise<{ subject: string; message: string }[]> {
  const keys = sql.join(KEY_COLUMNS.map((column) => sql.ref(column)))
  const counts = sql.join(COUNT_COLUMNS.map((column) => sql.ref(column)))
  const startOf = (column: string) => sql`${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(lengthMs)}`
  const rest = COUNT_COLUMNS.map((column) => sql`cast(sum(${sql.ref(column)}) as text) as ${sql.ref(column)}`)
  const isLeft = COUNT_COLUMNS.map((column) => sql`sum(${sql.ref(column)}) <> 0`)
  const from =
    table === 'usage_rollup_hour'
      ? sql`(select coalesce(max(case when rows_from_ms > hours_from_ms then rows_from_ms else hours_from_ms end), 0)
          from usage_retention)`
      : sql`(select coalesce(max(rows_from_ms), 0) from usage_retention)`
  const { rows } = await sql<Record<string, string>>`
    select organization_id, cast(starts_at_ms as text) as starts_at_ms, user_id, api_key_id, model, outcome,
      ${sql.join(rest)}
    from (
      select ${keys}, ${counts} from ${sql.table(table)}
      union all
      select organization_id, ${startOf('charged_at_ms')}, user_id, api_key_id, model, outcome, ${OF_ROWS}
      from text_usage where charged_at_ms is not null
      union all
      select organization_id, ${startOf('created_at_ms')}, user_id, api_key_id, model, outcome, ${OF_ENTRIES}
      from ledger_entries where kind in ('settlement', 'refund') and model is not null
    ) as parts
    where starts_at_ms >= ${from}
    group by ${keys} having ${sql.join(isLeft, sql` or `)}
    order by ${keys} limit ${limit}`.execute(db)
  return rows.map((row) => describe(table, row))
}

/** What one row takes off, in the order of the columns. */
const OF_ROWS = takenOff({
  requests: sql`1`,
  errors: sql`case when outcome = 'failed' then 1 else 0 end`,
  input_tokens: sql`input_tokens`,
  cached_input_tokens: sql`cached_input_tokens`,
  cache_write_tokens: sql`cache_write_tokens`,
  output_tokens: sql`output_tokens`,
  cost_micros: sql`cost_micros`,
  ...buckets('first_byte', FIRST_BYTE_BOUNDS),
  ...buckets('duration', DURATION_BOUNDS),
})

const OF_ENTRIES = takenOff({
  requests: sql`case when kind = 'settlement' then 1 else 0 end`,
  video_ms: sql`coalesce(video_ms, 0)`,
  cost_micros: sql`loss_micros - amount_micros`,
  ...buckets('duration', DURATION_BOUNDS),
})

type Parts = Partial<Record<keyof RollupCounts, ReturnType<typeof sql>>>

function takenOff(parts: Parts) {
  return sql.join(COUNT_COLUMNS.map((column) => sql`-(${parts[column] ?? sql`0`}) as ${sql.ref(column)}`))
}

/** A moment that is not known is in no bucket. */
function buckets(name: 'first_byte' | 'duration', bounds: readonly number[]): Parts {
  const ms = sql.ref(`${name}_ms`)
  const within = bounds.map((bound, index) => [
    `${name}_${bound}`,
    sql`case when ${ms} > ${sql.lit(bounds[index - 1] ?? -1)} and ${ms} <= ${sql.lit(bound)} then 1 else 0 end`,
  ])
  const more = sql`case when ${ms} > ${sql.lit(bounds.at(-1))} then 1 else 0 end`
  return Object.fromEntries([...within, [`${name}_more`, more]])
}

function describe(table: string, row: Record<string, string>): { subject: string; message: string } {
  const column = COUNT_COLUMNS.find((each) => Number(row[each]) !== 0) ?? 'requests'
  const start = new Date(Number(row.starts_at_ms)).toISOString()
  return {
    subject: `${table} ${start} ${row.organization_id} ${row.user_id} ${row.api_key_id} ${row.model} ${row.outcome}`,
    message: `The rollup has ${row[column]} ${column} more than its rows, settlements and refunds.`,
  }
}
