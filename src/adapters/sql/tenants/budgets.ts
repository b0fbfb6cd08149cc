import { type RawBuilder, sql } from 'kysely'
import type { OrganizationBudget } from '../../../domain/access/organization.ts'
import { micros } from '../../../domain/billing/micros.ts'
import type { EventData } from '../../../domain/events/event.ts'
import type { AmountRefusal } from '../../../ports/ledger.ts'
import type { OrganizationStore } from '../../../ports/tenants.ts'
import type { UsageStore } from '../../../ports/usage.ts'
import { insertAudit } from '../audit/audits.ts'
import { insertEventsOf } from '../events/insert-events.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { recountedIn, usedIn } from './budget-months.ts'
import { isBeyondKeyBudget, overKeyBudget } from './key-budgets.ts'
import { lockOrganization } from './lock-organization.ts'

export const WHY_REFUSED = { whyRefused: read(whyRefused) } satisfies Partial<StatementsOf<UsageStore>>

export const BUDGETS = {
  /**
   * Counts the month from the rows, because earlier charges were not counted without a budget, and an older replica may
   * have charged without counting. The lock comes first, so that a concurrent charge waits and then adds its cost.
   */
  setBudget: write(async (db, change, audit, traits) => {
    const { id, month, monthlyBudgetMicros, warnPercent } = change
    if (!(await lockOrganization(db, id, traits))) return undefined
    const used = await recountedIn(db, { organizationId: id, month })
    await sql`
      update organizations set monthly_budget_micros = ${monthlyBudgetMicros}, budget_warn_percent = ${warnPercent},
        budget_month = ${month}, budget_used_micros = ${used}, budget_warned_month = null
      where id = ${id}`.execute(db)
    await insertAudit(db, audit)
    return findBudget(db, { id, month })
  }),

  findBudget: read(findBudget),
  /** Returns organizations above their warning level, once a month, to one replica. Locks them like `reportBalances`. */
  claimBudgetWarnings: write(async (db, { month, atMs }, { lockRows }) => {
    const { rows: due } = await sql<{ id: string }>`
      select id from organizations
      where monthly_budget_micros is not null and budget_warn_percent is not null and budget_month = ${month}
        and (budget_warned_month is null or budget_warned_month < ${month})
        and budget_used_micros * 100.0 >= monthly_budget_micros * 1.0 * budget_warn_percent
      order by id ${lockRows}`.execute(db)
    if (due.length === 0) return []
    const { rows } = await sql<EventData['budget.warning']>`
      update organizations set budget_warned_month = ${month} where id in (${sql.join(due.map(({ id }) => id))})
      returning id as organization_id, budget_month as month, budget_used_micros as used_micros,
        monthly_budget_micros as budget_micros`.execute(db)
    await insertEventsOf(db, 'budget.warning', rows, { atMs })
    return rows.map((row) => ({
      organizationId: row.organization_id,
      monthlyBudgetMicros: micros(row.budget_micros),
      usedMicros: micros(row.used_micros),
    }))
  }),

  /** Lists organizations with open holds whose charges and holds exceed their own budget, or the budget of a key. */
  listOverBudget: read(async (db, { month }) => {
    const { rows } = await sql<{ id: string }>`
      select id from organizations where monthly_budget_micros is not null
        and held_micros > 0 and not ${isWithinBudget(0, month)}
      union ${overKeyBudget(month)}`.execute(db)
    return rows.map(({ id }) => id)
  }),
} satisfies Partial<StatementsOf<OrganizationStore>>

/** Condition on a row of `organizations`: the month's charges and all open holds stay within the budget. */
export function isWithinBudget(amount: number, month: string | undefined): RawBuilder<boolean> {
  return sql`(monthly_budget_micros is null
    or ${usedIn(month)} + held_micros + ${amount} <= monthly_budget_micros)`
}

export async function findBudget(
  db: Db,
  { id, month }: { id: string; month: string },
): Promise<OrganizationBudget | undefined> {
  const { rows } = await sql<{ budget: number | null; warn: number | null; used: number; held: number }>`
    select monthly_budget_micros as budget, budget_warn_percent as warn, ${usedIn(month)} as used,
      held_micros as held from organizations where id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    organizationId: id,
    month,
    monthlyBudgetMicros: row.budget === null ? null : micros(row.budget),
    warnPercent: row.warn,
    usedMicros: micros(row.used),
    heldMicros: micros(row.held),
  }
}

/** Judges balance and budgets by one row: a second query could see money that was given back after the first. */
export async function whyRefused(
  db: Db,
  input: { organizationId: string; keyId?: string; amountMicros: number; month: string },
): Promise<AmountRefusal | undefined> {
  const { organizationId, keyId, amountMicros, month } = input
  const isBeyondKeys = keyId === undefined ? sql`1 = 0` : isBeyondKeyBudget(keyId, amountMicros, month)
  const { rows } = await sql<{ available: number; isShort: number; isSpent: number }>`
    select balance_micros - held_micros as available,
      case when billing = 'prepaid' and balance_micros - held_micros < ${amountMicros} then 1 else 0 end as "isShort",
      case when not ${isWithinBudget(amountMicros, month)} or ${isBeyondKeys} then 1 else 0 end as "isSpent"
    from organizations where id = ${organizationId}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  if (row.isShort === 1)
    return { kind: 'insufficient-balance', availableMicros: micros(Number(row.available)) }
  return { kind: row.isSpent === 1 ? 'budget-exceeded' : 'funds-in-use' }
}
