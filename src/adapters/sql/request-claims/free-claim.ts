import { type Kysely, sql } from 'kysely'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'

export async function freeClaim(db: Kysely<Tables>, { id }: { id: string }): Promise<void> {
  await deleteClaim(db, { id })
}

const deleteClaim = hotStatement<{ id: string }>(
  ({ id }) => sql`delete from request_claims where id = ${id} and state = 'claimed'`,
)
