import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'

/** By their expiry, which is indexed: no end comes more than minutes after it. */
export async function dropOldVerifications(
  db: Kysely<Tables>,
  { expiredByMs, limit }: { expiredByMs: number; limit: number },
  traits: EngineTraits,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select id from verifications where expires_at_ms <= ${expiredByMs}
      order by expires_at_ms limit ${limit} ${traits.lockFreeRows}
    )
    delete from verifications where id in (select id from old)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
