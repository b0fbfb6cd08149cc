import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'

/** Leaves alone what somebody is claiming anew just now. */
export async function dropExpiredKeys(
  db: Kysely<Tables>,
  { nowMs, limit }: { nowMs: number; limit: number },
  traits: EngineTraits,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with over as materialized (
      select task_id from idempotency_keys where expires_at_ms <= ${nowMs}
      order by expires_at_ms limit ${limit} ${traits.lockFreeRows}
    )
    delete from idempotency_keys where task_id in (select task_id from over)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
