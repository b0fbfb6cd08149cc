import { sql } from 'kysely'
import { COUNT_COLUMNS } from '../../usage/rollups.ts'
import { CLOSED_DAYS, CLOSED_TABLES } from '../../usage-reports/close-days.ts'
import type { Invariant } from './invariant.ts'

/** Sums of closed days, by model or by key, equal the rollups of these days. */
export const closedDaysAreTheSumOfTheirRollups: Invariant = async (db, { limit }) => {
  const violations: { subject: string; message: string }[] = []
  for (const table of CLOSED_TABLES) {
    const keys = sql.raw(CLOSED_DAYS[table].join(', '))
    const { rows } = await sql<Record<string, string>>`
      select ${keys}, ${EXCESS}
      from (
        select ${keys}, ${COUNTS} from ${sql.table(table)}
        union all
        select ${keys}, ${NEGATED} from usage_rollup_day
      ) as parts
      where starts_at_ms < (select coalesce(max(closed_to_ms), 0) from usage_retention)
      group by ${keys} having ${IS_UNEQUAL}
      order by ${keys} limit ${limit}`.execute(db)
    for (const row of rows) violations.push(describe(table, row))
  }
  return violations.slice(0, limit)
}

const COUNTS = sql.raw(COUNT_COLUMNS.join(', '))
const NEGATED = sql.raw(COUNT_COLUMNS.map((column) => `-${column}`).join(', '))
const EXCESS = sql.raw(COUNT_COLUMNS.map((column) => `cast(sum(${column}) as text) as ${column}`).join(', '))
const IS_UNEQUAL = sql.raw(COUNT_COLUMNS.map((column) => `sum(${column}) <> 0`).join(' or '))

function describe(table: keyof typeof CLOSED_DAYS, row: Record<string, string>) {
  const column = COUNT_COLUMNS.find((each) => Number(row[each]) !== 0) ?? 'requests'
  const [start, ...names] = CLOSED_DAYS[table].map((each) => row[each])
  const day = new Date(Number(start)).toISOString().slice(0, 10)
  return {
    subject: [table, day, ...names].join(' '),
    message: `The sum of the closed day has ${row[column]} ${column} more than its rollups.`,
  }
}
