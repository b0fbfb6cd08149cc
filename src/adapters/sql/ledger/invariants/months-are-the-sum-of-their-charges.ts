import { sql } from 'kysely'
import { lastDroppedDay } from './days-are-the-sum-of-their-parts.ts'
import type { Invariant } from './invariant.ts'

/**
 * Only where there is a budget: setting one counts the month anew, and without one no figure depends on it. A month is
 * left out when usage rows of it may have been dropped.
 */
export const monthsAreTheSumOfTheirCharges: Invariant = async (db, { limit }) => {
  const after = await lastDroppedDay(db)
  const { rows } = await sql<{ id: string; month: string; used: string; charged: string }>`
    select id, budget_month as month, cast(max(budget_used_micros) as text) as used,
      cast(coalesce(sum(charged), 0) as text) as charged
    from organizations left join (
      select organization_id, substr(day, 1, 7) as month, cost_micros as charged from text_usage
      union all
      select ledger_entries.organization_id, substr(holds.day, 1, 7), loss_micros - ledger_entries.amount_micros
      from ledger_entries join holds on holds.id = ledger_entries.hold_id
      where ledger_entries.kind in ('settlement', 'refund')
      union all
      select organization_id, substr(usage_day, 1, 7), -amount_micros from ledger_entries
      where kind = 'refund' and usage_id is not null
    ) as charges on charges.organization_id = organizations.id and charges.month = organizations.budget_month
    where monthly_budget_micros is not null and budget_month is not null and budget_month || '-01' > ${after}
    group by id, budget_month
    having max(budget_used_micros) <> coalesce(sum(charged), 0)
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id, month, used, charged }) => ({
    subject: id,
    message: `The budget has counted ${used} micros in ${month}, the charges of that month less refunds are ${charged}. \`sluice org budget\` counts them anew.`,
  }))
}
