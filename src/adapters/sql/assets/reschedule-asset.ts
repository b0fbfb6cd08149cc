import { type Kysely, sql } from 'kysely'
import type { AssetStore } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'

/** Who has an old fence changes nothing. */
export async function rescheduleAsset(
  db: Kysely<Tables>,
  { id, fence, nextPollAtMs }: Parameters<AssetStore['reschedule']>[0],
): Promise<void> {
  await sql`
    update assets set next_poll_at_ms = ${nextPollAtMs}
    where id = ${id} and fence = ${fence} and status = 'processing'`.execute(db)
}
