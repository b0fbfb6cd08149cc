import { sql } from 'kysely'
import type { AllowanceLease, UsageStore } from '../../../ports/usage.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotListStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import { lowerHeld } from '../ledger/end-hold.ts'
import { canSpend } from '../ledger/open-hold.ts'
import { RollbackWith } from '../rollback-with.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { lockKeyBudget } from '../tenants/key-budgets.ts'

export const ALLOWANCES = {
  /** Locks the hold before the organization, in the order of `open-hold.ts`. */
  lease: write(async (db, lease, traits) => {
    const smallest = lease.amountsMicros.at(-1)
    if (smallest === undefined || !(await openOrExtend(db, lease, smallest))) return undefined
    const { keyId, month } = lease
    const left = keyId === undefined ? undefined : await lockKeyBudget(db, { keyId, month }, traits)
    for (const amount of lease.amountsMicros) {
      const needed = amount === smallest ? amount : Math.min(amount * FREE_FACTOR, Number.MAX_SAFE_INTEGER)
      if (left !== undefined && needed > left) continue
      if (!(await admit(db, { ...lease, amount, needed }))) continue
      await sql`
        update holds set amount_micros = amount_micros + ${amount}
        where id = ${lease.holdId}`.execute(db)
      return amount
    }
    throw new RollbackWith(undefined)
  }),

  renew: write(async (db, { holdIds, expiresAtMs }, traits) => {
    const open = (await lockAllowances(db, holdIds, traits)).map(({ id }) => id)
    for (const chunk of inChunks(open)) {
      await sql`
        update holds set expires_at_ms = ${expiresAtMs} where id in (${sql.join(chunk)})`.execute(db)
    }
    return open
  }),

  /** Gives back a part or all of an allowance. A part never ends the allowance, and is at most its amount. */
  giveBack: write(async (db, { holdId, amountMicros, atMs }, traits) => {
    const [allowance] = await lockAllowances(db, [holdId], traits)
    if (allowance === undefined) return false
    const { organizationId } = allowance
    const amount = amountMicros === 'all' ? allowance.amount : Math.min(amountMicros, allowance.amount)
    await (amountMicros === 'all' ? release(db, holdId, atMs) : shrink(db, holdId, amount))
    await lowerHeld(db, { organizationId, amount })
    return true
  }),
} satisfies Partial<StatementsOf<UsageStore>>

/** An amount above the smallest needs this many times as much free money, so that other replicas get some. */
const FREE_FACTOR = 4

/** Inserts an empty hold, or extends an open one. Returns false for an ended hold or without money for `smallest`. */
async function openOrExtend(db: Db, lease: AllowanceLease, smallest: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into holds (id, organization_id, api_key_id, kind, amount_micros, state, created_at_ms, expires_at_ms)
    select ${lease.holdId}, id, cast(${lease.keyId ?? null} as text), 'allowance', 0, 'open', ${lease.nowMs}, ${lease.expiresAtMs}
    from organizations where id = ${lease.organizationId} and ${canSpend(smallest, lease.month)}
    on conflict (id) do update set expires_at_ms = excluded.expires_at_ms
    where holds.state = 'open' and holds.kind = 'allowance'
      and holds.organization_id = excluded.organization_id`.execute(db)
  return numAffectedRows === 1n
}

async function admit(
  db: Db,
  input: Pick<AllowanceLease, 'organizationId' | 'month'> & { amount: number; needed: number },
): Promise<boolean> {
  const { organizationId, amount, needed, month } = input
  const { numAffectedRows } = await sql`
    update organizations set held_micros = held_micros + ${amount}
    where id = ${organizationId} and ${canSpend(needed, month)}`.execute(db)
  return numAffectedRows === 1n
}

async function release(db: Db, holdId: string, atMs: number): Promise<void> {
  await sql`update holds set state = 'released', ended_at_ms = ${atMs} where id = ${holdId}`.execute(db)
}

async function shrink(db: Db, holdId: string, amount: number): Promise<void> {
  await sql`update holds set amount_micros = amount_micros - ${amount} where id = ${holdId}`.execute(db)
}

interface OpenAllowance {
  id: string
  organizationId: string
  amount: number
}

/** Locks open allowances by id, like every transaction that locks holds. */
export async function lockAllowances(
  db: Db,
  holdIds: readonly string[],
  traits: EngineTraits,
): Promise<OpenAllowance[]> {
  const allowances: OpenAllowance[] = []
  for (const chunk of inChunks([...new Set(holdIds)].toSorted())) {
    const { rows } = await lockOpen(db, chunk, traits)
    for (const row of rows) allowances.push(row)
  }
  return allowances
}

const lockOpen = hotListStatement<string, OpenAllowance, [EngineTraits]>(
  1,
  (ids, { lockRows }) => sql`
    select id, organization_id as "organizationId", amount_micros as amount from holds
    where id in (${sql.join(ids.flat())}) and state = 'open' and kind = 'allowance'
    order by id ${lockRows}`,
)
