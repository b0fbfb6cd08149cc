import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** The row remembers that somebody asks until that one gives the right back, also when it died before the answer. */
export async function claimExchange(
  db: Kysely<Tables>,
  { id, atMs }: { id: string; atMs: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update verifications set exchanged_at_ms = ${atMs}
    where id = ${id} and exchanged_at_ms is null and sealed_redirect is null`.execute(db)
  return numAffectedRows === 1n
}
