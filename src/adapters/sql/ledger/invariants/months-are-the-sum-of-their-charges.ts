import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../tables.ts'
import { lastDroppedDay } from '../../usage-reports/drop-old-usage.ts'
import type { Invariant } from './invariant.ts'

/**
 * The month of a budget is the sum of its charges, and of the amount that a key took over from its predecessor. Left out
 * are months with dropped usage rows, and rows without a budget, because setting a budget counts the month again.
 */
export const monthsAreTheSumOfTheirCharges: Invariant = async (db, { limit }) => {
  const after = await lastDroppedDay(db)
  const violations = [
    ...(await wrongMonths(db, { table: 'organizations', owner: 'organization_id', after, limit })),
    ...(await wrongMonths(db, { table: 'api_keys', owner: 'api_key_id', after, limit })),
  ]
  return violations.slice(0, limit)
}

interface Months {
  table: 'organizations' | 'api_keys'
  /** Column of a charge that refers to a row of the table. */
  owner: 'organization_id' | 'api_key_id'
  after: string
  limit: number
}

async function wrongMonths(db: Db, { table, owner, after, limit }: Months) {
  const { rows } = await sql<{ id: string; month: string; used: string; charged: string }>`
    select id, budget_month as month, cast(max(budget_used_micros) as text) as used,
      cast(coalesce(sum(charged), 0) as text) as charged
    from ${sql.table(table)} as owners left join (${chargesOf(owner)}) as charges
      on charges.owner = owners.id and charges.month = owners.budget_month
    where monthly_budget_micros is not null and budget_month is not null and budget_month || '-01' > ${after}
    group by id, budget_month
    having max(budget_used_micros) <> coalesce(sum(charged), 0)
    order by id limit ${limit}`.execute(db)
  const command = table === 'organizations' ? 'org budget' : 'key budget'
  return rows.map(({ id, month, used, charged }) => ({
    subject: id,
    message: `The budget has counted ${used} micros in ${month}, the charges of that month less refunds are ${charged}. \`sluice ${command}\` counts them anew.`,
  }))
}

function chargesOf(owner: Months['owner']): RawBuilder<unknown> {
  const id = sql.ref(owner)
  return sql`
    select ${id} as owner, substr(day, 1, 7) as month, cost_micros as charged from text_usage
    union all
    select ${sql.ref(`ledger_entries.${owner}`)}, substr(holds.day, 1, 7),
      loss_micros - ledger_entries.amount_micros
    from ledger_entries join holds on holds.id = ledger_entries.hold_id
    where ledger_entries.kind in ('settlement', 'refund')
    union all
    select ${id}, substr(usage_day, 1, 7), -amount_micros from ledger_entries
    where kind = 'refund' and usage_id is not null
    ${owner === 'api_key_id' ? sql`union all select id, carried_month, carried_micros from api_keys` : sql``}`
}
