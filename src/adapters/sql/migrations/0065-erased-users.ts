import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** An erased user is never changed again. Earlier erasures are known by their audit row, unless the user was enabled since. */
export function createErasedUsers(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('users').addColumn('erased_at_ms', columns.integer).execute()
    await sql`
      update users set erased_at_ms = disabled_at_ms
      where name = '' and disabled_at_ms is not null
        and id in (select subject from audit_events where action = 'user.erase')`.execute(db)
  }
}
