import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { DEPLOYMENT_ID } from './probe-deployment.ts'

/** The first one stays. Returns the one that is kept. */
export async function keepSeal(
  db: Kysely<Tables>,
  { sealed, atMs }: { sealed: string; atMs: number },
): Promise<string> {
  await db
    .insertInto('deployment')
    .values({ id: DEPLOYMENT_ID, sealed, probed_at_ms: atMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const row = await db
    .selectFrom('deployment')
    .select('sealed')
    .where('id', '=', DEPLOYMENT_ID)
    .executeTakeFirstOrThrow()
  return row.sealed
}
