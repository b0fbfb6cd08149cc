import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** By its moment: whoever has claimed it since keeps it. */
export async function releaseExchange(
  db: Kysely<Tables>,
  { id, atMs }: { id: string; atMs: number },
): Promise<void> {
  await sql`
    update verifications set exchanged_at_ms = null
    where id = ${id} and exchanged_at_ms = ${atMs} and sealed_redirect is null`.execute(db)
}
