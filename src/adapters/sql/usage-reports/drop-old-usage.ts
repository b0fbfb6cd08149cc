import { sql } from 'kysely'
import type { UsageReportStore } from '../../../ports/usage-reports.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { DAY_MS } from '../usage/rollups.ts'

export const DROP_OLD_USAGE = {
  /**
   * Stores the two times in the same transaction, because checks leave out older rows, even those that still exist. A
   * row that is not in the rollups stays. Returns the number of dropped rows, at most `limit` of each kind.
   */
  dropOld: write(async (db, { rowsBeforeMs, hoursBeforeMs, limit }) => {
    const { rows: old } = await sql<{ id: string }>`
      select id from text_usage where charged_at_ms < ${rowsBeforeMs}
      order by charged_at_ms limit ${limit}`.execute(db)
    const { rows: hours } = await sql`
      select 1 from usage_rollup_hour where starts_at_ms < ${hoursBeforeMs} limit 1`.execute(db)
    if (old.length + hours.length === 0) return 0
    await sql`
      insert into usage_retention (id, rows_from_ms, hours_from_ms)
      values (1, ${old.length === 0 ? 0 : rowsBeforeMs}, ${hours.length === 0 ? 0 : hoursBeforeMs})
      on conflict (id) do update set
        rows_from_ms = case when excluded.rows_from_ms > usage_retention.rows_from_ms
          then excluded.rows_from_ms else usage_retention.rows_from_ms end,
        hours_from_ms = case when excluded.hours_from_ms > usage_retention.hours_from_ms
          then excluded.hours_from_ms else usage_retention.hours_from_ms end`.execute(db)
    if (old.length > 0)
      await sql`delete from text_usage where id in (${sql.join(old.map(({ id }) => id))})`.execute(db)
    return old.length + (hours.length === 0 ? 0 : await dropHours(db, hoursBeforeMs, limit))
  }),
} satisfies Partial<StatementsOf<UsageReportStore>>

async function dropHours(db: Db, beforeMs: number, limit: number): Promise<number> {
  const key = sql`organization_id, starts_at_ms, user_id, api_key_id, model, outcome`
  const { numAffectedRows = 0n } = await sql`
    delete from usage_rollup_hour where (${key}) in (
      select ${key} from usage_rollup_hour where starts_at_ms < ${beforeMs} order by starts_at_ms limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}

/** Returns the last day whose usage rows may be missing; empty when none was dropped. */
export async function lastDroppedDay(db: Db): Promise<string> {
  const { rows } = await sql<{ from: number }>`select rows_from_ms as "from" from usage_retention`.execute(db)
  const fromMs = rows[0]?.from ?? 0
  return fromMs === 0 ? '' : new Date(fromMs + DAY_MS).toISOString().slice(0, 10)
}
