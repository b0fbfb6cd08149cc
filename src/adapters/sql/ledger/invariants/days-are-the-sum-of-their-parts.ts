import { sql } from 'kysely'
import { lastDroppedDay } from '../../usage-reports/drop-old-usage.ts'
import type { Invariant } from './invariant.ts'

/**
 * A user's day is the sum of its usage, settlements and open holds less refunds. One pass compares both
 * sides, and also finds parts without a day. Days up to `lastDroppedDay` are left out, because they may lack
 * usage rows that were dropped.
 */
export const daysAreTheSumOfTheirParts: Invariant = async (db, { limit }) => {
  const after = await lastDroppedDay(db)
  const { rows } = await sql<{ user_id: string; day: string; used: string; spent: string }>`
    select user_id, day, cast(sum(used) as text) as used, cast(sum(spent) as text) as spent from (
      select user_id, day, used_micros as used, 0 as spent from user_days
      union all select user_id, day, 0, cost_micros from text_usage
      union all select user_id, day, 0, amount_micros from holds where state = 'open' and kind = 'task'
      union all
      select holds.user_id, holds.day, 0, loss_micros - ledger_entries.amount_micros
      from ledger_entries join holds on holds.id = ledger_entries.hold_id
      where ledger_entries.kind in ('settlement', 'refund')
      union all
      select user_id, usage_day, 0, -amount_micros from ledger_entries
      where kind = 'refund' and usage_id is not null
    ) as parts
    where day > ${after}
    group by user_id, day having sum(used) <> sum(spent)
    order by user_id, day limit ${limit}`.execute(db)
  return rows.map(({ user_id, day, used, spent }) => ({
    subject: `${user_id} ${day}`,
    message: `The day has ${used} micros, its usage, settlements and open holds less refunds are ${spent}.`,
  }))
}
