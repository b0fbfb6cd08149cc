import { sql } from 'kysely'
import type { UsageReportStore } from '../../../ports/usage-reports.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { COUNT_COLUMNS, DAY_MS } from '../usage/rollups.ts'

export const CLOSE_DAYS = {
  /**
   * Sums the earliest day before `beforeMs` that is not closed yet, and returns 0 when there is none. A past
   * day hardly changes, so a worker sums it once and no request updates the sums. The lock keeps out writers
   * of rollups; a later writer finds the day closed and reopens it (`addToRollups`).
   */
  closeDay: write(async (db, { beforeMs }, traits) => {
    if ((await findOpenDay(db, beforeMs)) === undefined) return 0
    await traits.lockTable(db, 'usage_rollup_day')
    const dayMs = await findOpenDay(db, beforeMs)
    if (dayMs === undefined) return 0
    for (const table of CLOSED_TABLES) await sumDay(db, table, dayMs)
    await sql`
      insert into usage_retention (id, rows_from_ms, hours_from_ms, closed_to_ms) values (1, 0, 0, ${dayMs + DAY_MS})
      on conflict (id) do update set closed_to_ms = excluded.closed_to_ms`.execute(db)
    return 1
  }),
} satisfies Partial<StatementsOf<UsageReportStore>>

/**
 * Key columns of the tables with the sums of closed days. A report over many days reads one of these tables,
 * which have far fewer rows than the rollups of days.
 */
export const CLOSED_DAYS = {
  usage_rollup_day_model: ['starts_at_ms', 'organization_id', 'model'],
  usage_rollup_day_key: ['starts_at_ms', 'organization_id', 'user_id', 'api_key_id'],
} as const

export type ClosedTable = keyof typeof CLOSED_DAYS
export const CLOSED_TABLES = Object.keys(CLOSED_DAYS) as ClosedTable[]

/** Returns 0 before the first day is closed. */
export async function readClosedTo(db: Db): Promise<number> {
  const { rows } = await sql<{ closedToMs: number }>`
    select closed_to_ms as "closedToMs" from usage_retention where id = 1`.execute(db)
  return rows[0]?.closedToMs ?? 0
}

async function findOpenDay(db: Db, beforeMs: number): Promise<number | undefined> {
  const { rows } = await sql<{ dayMs: number }>`
    select starts_at_ms as "dayMs" from usage_rollup_day
    where starts_at_ms >= ${await readClosedTo(db)} and starts_at_ms < ${beforeMs}
    order by starts_at_ms limit 1`.execute(db)
  return rows[0]?.dayMs
}

/** Writes the sums of a day. For a reopened day they replace the earlier sums. */
async function sumDay(db: Db, table: ClosedTable, dayMs: number): Promise<void> {
  const keys = sql.join(CLOSED_DAYS[table].map((column) => sql.ref(column)))
  const counts = sql.join(COUNT_COLUMNS.map((column) => sql.ref(column)))
  const sums = sql.join(COUNT_COLUMNS.map((column) => sql`sum(${sql.ref(column)})`))
  await sql`delete from ${sql.table(table)} where starts_at_ms = ${dayMs}`.execute(db)
  await sql`
    insert into ${sql.table(table)} (${keys}, ${counts})
    select ${keys}, ${sums} from usage_rollup_day where starts_at_ms = ${dayMs} group by ${keys}
    order by ${keys}`.execute(db)
}
