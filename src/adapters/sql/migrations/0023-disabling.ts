import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Since when an organization or a user may not call; null: it may. */
export function createDisabling(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    for (const table of ['organizations', 'users']) {
      await db.schema
        .alterTable(table)
        .addColumn('disabled_at_ms', columns.integer, (column) =>
          column.check(sql`disabled_at_ms between 0 and 9007199254740991`),
        )
        .execute()
    }
  }
}
