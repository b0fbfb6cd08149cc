import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'

/** Leaves alone what another request is claiming anew just now. */
export async function dropExpiredClaims(
  db: Kysely<Tables>,
  { nowMs, limit }: { nowMs: number; limit: number },
  traits: EngineTraits,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with over as materialized (
      select id from request_claims where expires_at_ms <= ${nowMs}
      order by expires_at_ms limit ${limit} ${traits.lockFreeRows}
    )
    delete from request_claims where id in (select id from over)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
