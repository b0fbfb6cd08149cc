import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'

/** Those that are still there, by id: one lock order rules out deadlocks between the renewal and the end of claims. */
export async function lockClaims(
  db: Kysely<Tables>,
  ids: readonly string[],
  traits: EngineTraits,
): Promise<string[]> {
  const found: string[] = []
  for (const chunk of inChunks(ids.toSorted())) {
    const { rows } = await sql<{ id: string }>`
      select id from request_claims where id in (${sql.join(chunk)}) order by id ${traits.lockRows}`.execute(
      db,
    )
    for (const { id } of rows) found.push(id)
  }
  return found
}
