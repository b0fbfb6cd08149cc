import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'
import { lockAllowances } from './lock-allowances.ts'

export async function renewAllowances(
  db: Kysely<Tables>,
  { holdIds, expiresAtMs }: { holdIds: readonly string[]; expiresAtMs: number },
  traits: EngineTraits,
): Promise<string[]> {
  const open = (await lockAllowances(db, holdIds, traits)).map(({ id }) => id)
  for (const chunk of inChunks(open)) {
    await sql`
      update holds set expires_at_ms = ${expiresAtMs} where id in (${sql.join(chunk)})`.execute(db)
  }
  return open
}
