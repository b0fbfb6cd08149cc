import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** A soft deletion: the row stays, because its money does. */
export async function removeTask(
  db: Kysely<Tables>,
  { id, keyId, atMs }: { id: string; keyId: string; atMs: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update video_tasks set deleted_at_ms = ${atMs}
    where id = ${id} and api_key_id = ${keyId} and deleted_at_ms is null
      and status in ('succeeded', 'failed', 'cancelled')`.execute(db)
  return numAffectedRows === 1n
}
