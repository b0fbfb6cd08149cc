import { type RawBuilder, sql } from 'kysely'
import type { KeyBudget } from '../../../domain/access/api-key.ts'
import { micros } from '../../../domain/billing/micros.ts'
import type { ApiKeyStore } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotListStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { countInMonth, type MonthCost, recountedIn, usedIn } from './budget-months.ts'

export const KEY_BUDGETS = {
  /** Counts the month from the rows, after the lock, as `setBudget` in `budgets.ts` explains. */
  setBudget: write(async (db, change, audit, { lockRows }) => {
    const { id, month, monthlyBudgetMicros } = change
    const { rows } = await sql<{ digest: string; organizationId: string }>`
      select digest, organization_id as "organizationId" from api_keys
      where id = ${id} and revoked_at_ms is null ${lockRows}`.execute(db)
    const [key] = rows
    if (key === undefined) return undefined
    const used = await recountedIn(db, { organizationId: key.organizationId, keyId: id, month })
    await sql`
      update api_keys set monthly_budget_micros = ${monthlyBudgetMicros}, budget_month = ${month},
        budget_used_micros = ${used} where id = ${id}`.execute(db)
    await insertAudit(db, { ...audit, organizationId: key.organizationId })
    const budget = await findKeyBudget(db, { id, month })
    return budget && { ...budget, digest: key.digest }
  }),

  findBudget: read(findKeyBudget),
} satisfies Partial<StatementsOf<ApiKeyStore>>

/** Sum of a key's open holds: of its tasks, and of the allowances that replicas lease for it. */
export const heldBy = (keyId: string): RawBuilder<number> => sql`
  (select cast(coalesce(sum(amount_micros), 0) as bigint) from holds where api_key_id = ${keyId} and state = 'open')`

/**
 * Returns the amount that a key may still spend; undefined without a budget. Other holds for the key wait until this
 * transaction ends. A second statement reads the figures, so that it sees commits made during the wait.
 */
export async function lockKeyBudget(
  db: Db,
  { keyId, month }: { keyId: string; month: string | undefined },
  traits: EngineTraits,
): Promise<number | undefined> {
  const { rows: keys } = await lockKeys(db, [keyId], traits)
  if ((keys[0]?.budget ?? null) === null) return undefined
  const { rows } = await sql<{ left: number }>`
    select monthly_budget_micros - ${usedIn(month)} - ${heldBy(keyId)} as "left"
    from api_keys where id = ${keyId}`.execute(db)
  return Number(rows[0]?.left ?? 0)
}

/** Condition: the key has a budget that does not cover the amount. */
export function isBeyondKeyBudget(keyId: string, amount: number, month: string): RawBuilder<boolean> {
  return sql`exists (
    select 1 from api_keys where id = ${keyId} and monthly_budget_micros is not null
      and ${usedIn(month)} + ${heldBy(keyId)} + ${amount} > monthly_budget_micros)`
}

/** Counts charges for keys with a budget. Locks the keys by id, and before organizations, as in `open-hold.ts`. */
export async function countForKeys(
  db: Db,
  costs: ReadonlyMap<string, MonthCost>,
  traits: EngineTraits,
): Promise<void> {
  for (const chunk of inChunks([...costs.keys()].toSorted())) {
    const { rows } = await lockKeys(db, chunk, traits)
    for (const part of inChunks(rows.filter(({ budget }) => budget !== null))) {
      const values = part.flatMap(({ id }) => {
        const { cost, month } = costs.get(id) ?? { cost: 0, month: '' }
        return [id, cost, month]
      })
      await updateKeys(db, values)
    }
  }
}

/** Locks keys without a budget too. A charge and the setting of a first budget then wait for each other. */
const lockKeys = hotListStatement<string, { id: string; budget: number | null }, [EngineTraits]>(
  1,
  (ids, { lockRows }) => sql`
    select id, monthly_budget_micros as budget from api_keys where id in (${sql.join(ids.flat())})
    order by id ${lockRows}`,
)

const updateKeys = hotListStatement<string | number>(3, (rows) => {
  const values = rows.map(
    ([id, cost, month]) => sql`(cast(${id} as text), cast(${cost} as bigint), cast(${month} as text))`,
  )
  return sql`
    update api_keys set ${countInMonth(sql`charge.column2`, sql`charge.column3`)}
    from (values ${sql.join(values)}) as charge where api_keys.id = charge.column1`
})

/** Lowers the month of a refunded charge, if it is the key's current month. Locks the key as `lockKeys` does. */
export async function lowerForKey(
  db: Db,
  { keyId, month, amount }: { keyId: string; month: string; amount: number },
): Promise<void> {
  await sql`
    update api_keys set budget_used_micros = case
      when monthly_budget_micros is not null and budget_month = ${month} then budget_used_micros - ${amount}
      else budget_used_micros end
    where id = ${keyId}`.execute(db)
}

/** Returns 0 as `usedMicros` without a budget, because nothing is counted then. */
export async function findKeyBudget(
  db: Db,
  { id, month }: { id: string; month: string },
): Promise<KeyBudget | undefined> {
  const { rows } = await sql<{ organizationId: string; budget: number | null; used: number; held: number }>`
    select organization_id as "organizationId", monthly_budget_micros as budget, ${usedIn(month)} as used,
      ${heldBy(id)} as held from api_keys where id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    keyId: id,
    organizationId: row.organizationId,
    month,
    monthlyBudgetMicros: row.budget === null ? null : micros(row.budget),
    usedMicros: micros(row.budget === null ? 0 : row.used),
    heldMicros: micros(Number(row.held)),
  }
}

/** Selects organizations of keys whose charges and holds exceed the key's budget. */
export function overKeyBudget(month: string): RawBuilder<unknown> {
  const held = sql`(select sum(amount_micros) from holds where holds.api_key_id = api_keys.id and state = 'open')`
  return sql`
    select organization_id as id from api_keys
    where monthly_budget_micros is not null and ${held} > 0 and ${usedIn(month)} + ${held} > monthly_budget_micros`
}
