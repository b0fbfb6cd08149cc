import { type Kysely, sql } from 'kysely'
import type { StoredVerification } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { toStoredVerification, type VerificationRow } from './to-stored-verification.ts'

/** One statement: who comes second waits for the first, and writes what is already there. The token has had its use. */
export async function finishVerification(
  db: Kysely<Tables>,
  { id, sealedRedirect, atMs }: { id: string; sealedRedirect: string; atMs: number },
): Promise<StoredVerification | undefined> {
  const { rows } = await sql<VerificationRow>`
    update verifications set
      sealed_redirect = coalesce(sealed_redirect, ${sealedRedirect}), ended_at_ms = coalesce(ended_at_ms, ${atMs}),
      sealed_token = null
    where id = ${id} returning *`.execute(db)
  return rows[0] === undefined ? undefined : toStoredVerification(rows[0])
}
