import { sql } from 'kysely'
import type { Db } from '../../tables.ts'
import {
  COUNT_COLUMNS,
  DURATION_BOUNDS,
  FIRST_BYTE_BOUNDS,
  KEY_COLUMNS,
  ROLLUPS,
  type RollupCounts,
} from '../../usage/rollups.ts'
import type { Invariant } from './invariant.ts'

/**
 * Each rollup of an hour or a day is the sum of its usage rows, settlements and refunds. Rows of an older
 * version are left out until `count-late-usage.ts` has counted them.
 */
export const rollupsAreTheSumOfTheirRows: Invariant = async (db, { limit }) => {
  const violations: { subject: string; message: string }[] = []
  for (const rollup of ROLLUPS) violations.push(...(await unequalTo(db, rollup, limit)))
  return violations.slice(0, limit)
}

/** Compares both sides in one pass: the rollup of a key less its rows must be zero. */
async function unequalTo(
  db: Db,
  { table, lengthMs }: (typeof ROLLUPS)[number],
  limit: number,
): Promise<{ subject: string; message: string }[]> {
  const startOf = (column: string) => sql.raw(`${column} - ${column} % ${lengthMs}`)
  const from =
    table === 'usage_rollup_hour'
      ? sql`(select coalesce(max(case when rows_from_ms > hours_from_ms then rows_from_ms else hours_from_ms end), 0)
          from usage_retention)`
      : sql`(select coalesce(max(rows_from_ms), 0) from usage_retention)`
  const { rows } = await sql<Record<string, string>>`
    select organization_id, cast(starts_at_ms as text) as starts_at_ms, user_id, api_key_id, model, outcome,
      ${EXCESS}
    from (
      select ${KEYS}, ${COUNTS} from ${sql.table(table)}
      union all
      select organization_id, ${startOf('charged_at_ms')}, user_id, api_key_id, model, outcome, ${OF_ROWS}
      from text_usage where charged_at_ms is not null
      union all
      select organization_id, ${startOf('created_at_ms')}, user_id, api_key_id, model, outcome, ${OF_ENTRIES}
      from ledger_entries where kind in ('settlement', 'refund') and model is not null
    ) as parts
    where starts_at_ms >= ${from}
    group by ${KEYS} having ${IS_UNEQUAL}
    order by ${KEYS} limit ${limit}`.execute(db)
  return rows.map((row) => describe(table, row))
}

/** Columns are joined as text once, because compiling many small parts took longer than running the query. */
const KEYS = sql.raw(KEY_COLUMNS.join(', '))
const COUNTS = sql.raw(COUNT_COLUMNS.join(', '))
const EXCESS = sql.raw(COUNT_COLUMNS.map((column) => `cast(sum(${column}) as text) as ${column}`).join(', '))
const IS_UNEQUAL = sql.raw(COUNT_COLUMNS.map((column) => `sum(${column}) <> 0`).join(' or '))

/** Negated counts of one row, in the order of the columns. */
const OF_ROWS = negated({
  requests: '1',
  errors: `case when outcome = 'failed' then 1 else 0 end`,
  input_tokens: 'input_tokens',
  cached_input_tokens: 'cached_input_tokens',
  cache_write_tokens: 'cache_write_tokens',
  output_tokens: 'output_tokens',
  cost_micros: 'cost_micros',
  ...buckets('first_byte', FIRST_BYTE_BOUNDS),
  ...buckets('duration', DURATION_BOUNDS),
})

const OF_ENTRIES = negated({
  requests: `case when kind = 'settlement' then 1 else 0 end`,
  video_ms: 'coalesce(video_ms, 0)',
  cost_micros: 'loss_micros - amount_micros',
  ...buckets('duration', DURATION_BOUNDS),
})

type Parts = Partial<Record<keyof RollupCounts, string>>

function negated(parts: Parts) {
  return sql.raw(COUNT_COLUMNS.map((column) => `-(${parts[column] ?? '0'}) as ${column}`).join(', '))
}

/** Returns the bucket counts of one row. A null duration is in no bucket. */
function buckets(name: 'first_byte' | 'duration', bounds: readonly number[]): Parts {
  const ms = `${name}_ms`
  const within = bounds.map((bound, index) => [
    `${name}_${bound}`,
    `case when ${ms} > ${bounds[index - 1] ?? -1} and ${ms} <= ${bound} then 1 else 0 end`,
  ])
  const more = `case when ${ms} > ${bounds.at(-1)} then 1 else 0 end`
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
