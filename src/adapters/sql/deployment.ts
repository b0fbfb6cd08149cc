import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** The first one stays. Returns the one that is kept. */
export async function keepSecretCheck(
  db: Kysely<Tables>,
  { encrypted, atMs }: { encrypted: string; atMs: number },
): Promise<string> {
  await db
    .insertInto('deployment')
    .values({ id: DEPLOYMENT_ID, sealed: encrypted, probed_at_ms: atMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const row = await db
    .selectFrom('deployment')
    .select('sealed')
    .where('id', '=', DEPLOYMENT_ID)
    .executeTakeFirstOrThrow()
  return row.sealed
}

export async function findSecretCheck(db: Kysely<Tables>, _none: object): Promise<string | undefined> {
  const row = await db
    .selectFrom('deployment')
    .select('sealed')
    .where('id', '=', DEPLOYMENT_ID)
    .executeTakeFirst()
  return row?.sealed
}

/** The table has one row. */
const DEPLOYMENT_ID = 1

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
