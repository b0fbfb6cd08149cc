import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'

/** Leaves alone what is being kept for longer just now. */
export async function dropExpiredVendorIds(
  db: Kysely<Tables>,
  { nowMs, limit }: { nowMs: number; limit: number },
  traits: EngineTraits,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with over as materialized (
      select digest, organization_id from vendor_ids where expires_at_ms <= ${nowMs}
      order by expires_at_ms limit ${limit} ${traits.lockFreeRows}
    )
    delete from vendor_ids
    where (digest, organization_id) in (select digest, organization_id from over)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
