import { sql } from 'kysely'
import type { EngineTraits } from './engine-traits.ts'
import type { Db } from './tables.ts'

/** Tables whose rows expire, with their key columns. */
const EXPIRING = {
  admin_requests: ['id'],
  idempotency_keys: ['task_id'],
  kept_values: ['key'],
  operator_sessions: ['digest'],
  request_claims: ['id'],
  sign_in_links: ['digest'],
  vendor_ids: ['digest', 'organization_id'],
} as const

/** Deletes expired rows and returns their number. Skips rows that are locked to be claimed or extended. */
export function dropExpired(table: keyof typeof EXPIRING) {
  return async (
    db: Db,
    { nowMs, limit }: { nowMs: number; limit: number },
    { lockRowsSkippingLocked }: EngineTraits,
  ): Promise<number> => {
    const name = sql.join(EXPIRING[table].map((column) => sql.ref(column)))
    const { numAffectedRows } = await sql`
      with over as materialized (
        select ${name} from ${sql.table(table)} where expires_at_ms <= ${nowMs}
        order by expires_at_ms limit ${limit} ${lockRowsSkippingLocked}
      )
      delete from ${sql.table(table)} where (${name}) in (select ${name} from over)`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }
}
