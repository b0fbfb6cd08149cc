import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { monthOf } from '../../../domain/limits/calendar-day.ts'
import type { HoldOutcome, LedgerStore, NewHold } from '../../../ports/ledger.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotStatement } from '../hot-statement.ts'
import { RollbackWith } from '../rollback-with.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { isWithinBudget, whyRefused } from '../tenants/budgets.ts'
import { lockKeyBudget } from '../tenants/key-budgets.ts'
import { moveDay } from './user-days.ts'

export const OPEN_HOLD = { hold: write(openHold) } satisfies Partial<StatementsOf<LedgerStore>>

/**
 * Opens a hold. All money operations lock rows in this order: holds, days, keys, organizations, each by id. One lock
 * order prevents deadlocks, and the organization's row, which most operations need, is locked last and for the shortest
 * time. The statement that admits is therefore the last one, and a refusal rolls back the statements before it.
 */
export async function openHold(db: Db, hold: NewHold, traits: EngineTraits): Promise<HoldOutcome> {
  const inMonth = { ...hold, month: monthOf(hold.day) }
  if (!changedOne(await insertHold(db, inMonth))) return await refusalOf(db, inMonth)
  const day = await moveDay(db, { userId: hold.userId, day: hold.day, delta: hold.amountMicros })
  if (hold.keyId !== undefined) {
    const left = await lockKeyBudget(db, { keyId: hold.keyId, month: inMonth.month }, traits)
    // `left` is already reduced by the inserted hold.
    if (left !== undefined && left < 0) throw new RollbackWith<HoldOutcome>({ kind: 'budget-exceeded' })
  }
  if (!changedOne(await admit(db, inMonth))) throw new RollbackWith(await refusalOf(db, inMonth))
  return { kind: 'held', day }
}

type HoldInMonth = NewHold & { month: string }

/** Inserts the hold. Its condition saves work for most refusals; `admit` decides. */
const insertHold = hotStatement<HoldInMonth>(
  (hold) => sql`
    insert into holds
      (id, organization_id, kind, user_id, day, task_id, api_key_id, amount_micros, state, created_at_ms, expires_at_ms)
    select ${hold.id}, id, 'task', ${hold.userId}, ${hold.day}, ${hold.taskId}, ${hold.keyId ?? null}, ${hold.amountMicros}, 'open',
      ${hold.createdAtMs}, ${hold.expiresAtMs}
    from organizations where id = ${hold.organizationId} and ${canSpend(hold.amountMicros, hold.month)}`,
)

const admit = hotStatement<HoldInMonth>(
  ({ organizationId, amountMicros, month }) => sql`
    update organizations set held_micros = held_micros + ${amountMicros}
    where id = ${organizationId} and disabled_at_ms is null and ${canSpend(amountMicros, month)}`,
)

function changedOne({ numAffectedRows }: QueryResult<unknown>): boolean {
  return numAffectedRows === 1n
}

async function refusalOf(db: Db, { organizationId, amountMicros, month }: HoldInMonth): Promise<HoldOutcome> {
  const { rows } = await sql<{ disabled_at_ms: number | null }>`
    select disabled_at_ms from organizations where id = ${organizationId}`.execute(db)
  if (rows[0] !== undefined && rows[0].disabled_at_ms !== null) return { kind: 'organization-disabled' }
  return (await whyRefused(db, { organizationId, amountMicros, month })) ?? { kind: 'no-organization' }
}

/** Condition on a row of `organizations`: the budget covers the amount, and so does a prepaid balance less holds. */
export function canSpend(amount: number, month: string | undefined): RawBuilder<boolean> {
  return sql`(billing = 'postpaid' or balance_micros - held_micros >= ${amount}) and ${isWithinBudget(amount, month)}`
}

/** Returns the part of a cost that the balance pays: for prepaid, at most the balance less holds. */
export function payable(
  cost: number,
  organization: { billing: string; balance_micros: number; held_micros: number },
): number {
  if (organization.billing === 'postpaid') return cost
  return Math.min(cost, organization.balance_micros - organization.held_micros)
}
