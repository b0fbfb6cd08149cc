import { type Kysely, sql } from 'kysely'
import type { RefundMove } from '../../../ports/ledger.ts'
import type { Tables } from '../tables.ts'

/** Walks the index `ledger_entries_refunds_by_time`, which has no other entries. */
export async function listRefundMoves(
  db: Kysely<Tables>,
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<RefundMove[]> {
  const { rows } = await sql<RefundMove>`
    select ledger_entries.id as "entryId", holds.user_id as "userId", holds.day,
      -ledger_entries.amount_micros as "deltaMicros", day_version as version
    from ledger_entries join holds on holds.id = ledger_entries.hold_id
    where ledger_entries.kind = 'refund' and ledger_entries.created_at_ms >= ${sinceMs} and day_version is not null
    order by ledger_entries.created_at_ms, ledger_entries.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row }))
}
