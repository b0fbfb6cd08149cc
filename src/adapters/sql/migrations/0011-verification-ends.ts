import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What a verification keeps until its end and after it. */
export function createVerificationEnds(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await makeTokensNullable(db, columns)
    // Those that began before are told in whatever language their browser likes.
    await db.schema.alterTable('verifications').addColumn('language', columns.text).execute()
    await sql`create index verifications_over on verifications (expires_at_ms)`.execute(db)
  }
}

/** A new column in place of the old one: not every engine can take a `not null` back. */
async function makeTokensNullable(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  const verifications = db.schema.alterTable('verifications')
  await verifications.addColumn('open_token', columns.text).execute()
  await sql`update verifications set open_token = sealed_token where sealed_redirect is null`.execute(db)
  await verifications.dropColumn('sealed_token').execute()
  await verifications.renameColumn('open_token', 'sealed_token').execute()
}
