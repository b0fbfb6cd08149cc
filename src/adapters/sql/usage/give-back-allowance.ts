import { type Kysely, sql } from 'kysely'
import type { Micros } from '../../../domain/billing/micros.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { lowerHeld } from '../ledger/lower-held.ts'
import type { Tables } from '../tables.ts'
import { lockAllowances } from './lock-allowances.ts'

/** A part never ends an allowance, and is never more than the allowance holds. */
export async function giveBackAllowance(
  db: Kysely<Tables>,
  { holdId, amountMicros, atMs }: { holdId: string; amountMicros: Micros | 'all'; atMs: number },
  traits: EngineTraits,
): Promise<boolean> {
  const [allowance] = await lockAllowances(db, [holdId], traits)
  if (allowance === undefined) return false
  const { organizationId } = allowance
  const amount = amountMicros === 'all' ? allowance.amount : Math.min(amountMicros, allowance.amount)
  await (amountMicros === 'all' ? release(db, holdId, atMs) : shrink(db, holdId, amount))
  await lowerHeld(db, { organizationId, amount })
  return true
}

async function release(db: Kysely<Tables>, holdId: string, atMs: number): Promise<void> {
  await sql`update holds set state = 'released', ended_at_ms = ${atMs} where id = ${holdId}`.execute(db)
}

async function shrink(db: Kysely<Tables>, holdId: string, amount: number): Promise<void> {
  await sql`update holds set amount_micros = amount_micros - ${amount} where id = ${holdId}`.execute(db)
}
