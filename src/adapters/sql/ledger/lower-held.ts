import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** What was held can be spent again. */
export async function lowerHeld(
  db: Kysely<Tables>,
  { organizationId, amount }: { organizationId: string; amount: number },
): Promise<void> {
  await sql`
    update organizations set held_micros = held_micros - ${amount} where id = ${organizationId}`.execute(db)
}
