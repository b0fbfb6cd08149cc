import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../tables.ts'
import { DAY_MS } from '../usage/rollups.ts'
import { lastDroppedDay } from '../usage-reports/drop-old-usage.ts'

/**
 * Charges of `month`; without `month`, of the last charged month. Once a replica has charged a later month, charges of
 * `month` are no longer counted, so its whole budget counts as used: a replica with a slow clock must not spend it again.
 */
export function usedIn(month: string | undefined): RawBuilder<number> {
  if (month === undefined) return sql`budget_used_micros`
  return sql`(case when budget_month = ${month} then budget_used_micros
    when budget_month > ${month} then coalesce(monthly_budget_micros, budget_used_micros) else 0 end)`
}

/** Latest month of several charges, and the cost in that month. */
export interface MonthCost {
  month: string
  cost: number
}

/** Assignments that count a charge in its row, unless the charge is of an older month. */
export function countInMonth(cost: RawBuilder<number>, month: RawBuilder<string>): RawBuilder<unknown> {
  return sql`
    budget_used_micros = case when budget_month = ${month} then budget_used_micros + ${cost}
      when budget_month is null or budget_month < ${month} then ${cost} else budget_used_micros end,
    budget_month = case when budget_month is null or budget_month < ${month} then ${month} else budget_month end`
}

interface OwnMonth {
  organizationId: string
  /** undefined: the month of the organization. */
  keyId?: string
  month: string
}

/**
 * Counts anew what a budget has used in a month. When retention may have dropped usage rows of the month, the budget's own
 * count stays. Without one, the rollups of days count; their days are in UTC, so the month is up to a few hours off.
 */
export async function recountedIn(db: Db, own: OwnMonth): Promise<RawBuilder<number>> {
  const charged = await chargedIn(db, own)
  const isKey = own.keyId !== undefined
  const carried = isKey ? sql`+ case when carried_month = ${own.month} then carried_micros else 0 end` : sql``
  if ((await lastDroppedDay(db)) < `${own.month}-01`) return sql`${charged} ${carried}`
  const [fromMs, toMs] = [Date.parse(`${own.month}-01`), Date.parse(`${own.month}-28`) + 4 * DAY_MS]
  const ofKey = isKey ? sql`and api_key_id = ${own.keyId}` : sql``
  const { rows } = await sql<{ amount: number }>`
    select cast(coalesce(sum(cost_micros), 0) as bigint) as amount from usage_rollup_day
    where organization_id = ${own.organizationId} ${ofKey} and starts_at_ms >= ${fromMs}
      and starts_at_ms < ${Date.parse(new Date(toMs).toISOString().slice(0, 7))}`.execute(db)
  const used = Math.max(charged, Number(rows[0]?.amount ?? 0))
  const isCounted = isKey ? sql`and monthly_budget_micros is not null` : sql``
  return sql`case when budget_month = ${own.month} ${isCounted} then budget_used_micros else ${used} ${carried} end`
}

/** Sums charges less refunds of a month from the rows, of an organization or of one of its keys. */
async function chargedIn(db: Db, { organizationId, keyId, month }: OwnMonth): Promise<number> {
  const days = `${month}-%`
  const ofOwner = (table: string) => {
    const isOrganization = sql`${sql.ref(`${table}.organization_id`)} = ${organizationId}`
    return keyId === undefined
      ? isOrganization
      : sql`${isOrganization} and ${sql.ref(`${table}.api_key_id`)} = ${keyId}`
  }
  const { rows } = await sql<{ amount: number }>`
    select cast(coalesce(sum(cost_micros), 0) as bigint) as amount from text_usage
    where ${ofOwner('text_usage')} and day like ${days}
    union all
    select cast(coalesce(sum(loss_micros - ledger_entries.amount_micros), 0) as bigint) as amount
    from ledger_entries join holds on holds.id = ledger_entries.hold_id
    where ${ofOwner('ledger_entries')} and ledger_entries.kind in ('settlement', 'refund')
      and holds.day like ${days}
    union all
    select cast(coalesce(sum(-amount_micros), 0) as bigint) as amount from ledger_entries
    where ${ofOwner('ledger_entries')} and kind = 'refund' and usage_id is not null
      and usage_day like ${days}`.execute(db)
  return rows.reduce((sum, { amount }) => sum + Number(amount), 0)
}
