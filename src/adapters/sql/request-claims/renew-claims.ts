import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'
import { lockClaims } from './lock-claims.ts'

export async function renewClaims(
  db: Kysely<Tables>,
  { ids, leaseUntilMs }: { ids: readonly string[]; leaseUntilMs: number },
  traits: EngineTraits,
): Promise<void> {
  for (const chunk of inChunks(await lockClaims(db, ids, traits))) {
    await sql`
      update request_claims set lease_until_ms = ${leaseUntilMs} where id in (${sql.join(chunk)})`.execute(db)
  }
}
