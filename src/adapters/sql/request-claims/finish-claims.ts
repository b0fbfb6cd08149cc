import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'
import { lockClaims } from './lock-claims.ts'

/**
 * Part of the transaction that writes the usage of these claims, and its first locks. Returns the claims that were there:
 * one that is gone has lost its key to another request.
 */
export async function finishClaims(
  db: Kysely<Tables>,
  ids: readonly string[],
  traits: EngineTraits,
): Promise<Set<string>> {
  const found = await lockClaims(db, ids, traits)
  for (const chunk of inChunks(found)) {
    await sql`update request_claims set state = 'finished' where id in (${sql.join(chunk)})`.execute(db)
  }
  return new Set(found)
}
