import { type Kysely, sql } from 'kysely'
import type { Micros } from '../../../domain/billing/micros.ts'
import type { AllowanceLease } from '../../../ports/usage.ts'
import { canSpend } from '../ledger/can-spend.ts'
import type { Tables } from '../tables.ts'
import { Undone } from '../undone.ts'

/** A larger amount is given only while this many times as much can be spent: so several replicas find something. */
const SHARE = 4

/** Takes the hold before the organization, in the order that `open-hold.ts` explains. */
export async function leaseAllowance(db: Kysely<Tables>, lease: AllowanceLease): Promise<Micros | undefined> {
  const smallest = lease.amountsMicros.at(-1)
  if (smallest === undefined || !(await openOrPutOff(db, lease, smallest))) return undefined
  for (const amount of lease.amountsMicros) {
    const needed = amount === smallest ? amount : Math.min(amount * SHARE, Number.MAX_SAFE_INTEGER)
    if (!(await admit(db, { organizationId: lease.organizationId, amount, needed }))) continue
    await sql`update holds set amount_micros = amount_micros + ${amount} where id = ${lease.holdId}`.execute(
      db,
    )
    return amount
  }
  throw new Undone(undefined)
}

/** An empty hold to begin with, or the open one with a later deadline; an ended one stays as it is: false. */
async function openOrPutOff(db: Kysely<Tables>, lease: AllowanceLease, smallest: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into holds (id, organization_id, kind, amount_micros, state, created_at_ms, expires_at_ms)
    select ${lease.holdId}, id, 'allowance', 0, 'open', ${lease.nowMs}, ${lease.expiresAtMs}
    from organizations where id = ${lease.organizationId} and ${canSpend(smallest)}
    on conflict (id) do update set expires_at_ms = excluded.expires_at_ms
    where holds.state = 'open' and holds.kind = 'allowance'
      and holds.organization_id = excluded.organization_id`.execute(db)
  return numAffectedRows === 1n
}

async function admit(
  db: Kysely<Tables>,
  { organizationId, amount, needed }: { organizationId: string; amount: number; needed: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update organizations set held_micros = held_micros + ${amount}
    where id = ${organizationId} and ${canSpend(needed)}`.execute(db)
  return numAffectedRows === 1n
}
