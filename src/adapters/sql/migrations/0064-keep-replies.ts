import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Which replies are kept for an organization; null: as the deployment says. */
export function createKeepReplies(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .alterTable('organizations')
      .addColumn('keep_replies', columns.text, (column) =>
        column.check(sql`keep_replies in ('default', 'asked')`),
      )
      .execute()
  }
}
