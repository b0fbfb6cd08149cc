import type { Kysely } from 'kysely'
import type { StoredVerification } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { toStoredVerification } from './to-stored-verification.ts'

export async function findVerification(
  db: Kysely<Tables>,
  { stateDigest }: { stateDigest: string },
): Promise<StoredVerification | undefined> {
  const row = await db
    .selectFrom('verifications')
    .selectAll()
    .where('state_digest', '=', stateDigest)
    .executeTakeFirst()
  return row === undefined ? undefined : toStoredVerification(row)
}
