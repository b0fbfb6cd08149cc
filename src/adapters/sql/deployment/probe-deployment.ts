import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** The table has one row. */
export const DEPLOYMENT_ID = 1

/** A real write: a full disk and a read-only server refuse it although they still answer reads. */
export async function probeDeployment(
  db: Kysely<Tables>,
  { atMs }: { atMs: number },
): Promise<string | undefined> {
  const row = await db
    .updateTable('deployment')
    .set({ probed_at_ms: atMs })
    .where('id', '=', DEPLOYMENT_ID)
    .returning('sealed')
    .executeTakeFirst()
  return row?.sealed
}
