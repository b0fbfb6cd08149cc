import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Browsers in which an operator has signed in, and links that sign in once. Of both only digests are kept. */
export function createOperatorSessions(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('operator_sessions')
      .addColumn('digest', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('actor', columns.id, (column) => column.notNull())
      .addColumn('role', columns.text, (column) =>
        column.notNull().check(sql`role in ('viewer', 'operator', 'owner')`),
      )
      .addColumn('method', columns.text, (column) =>
        column.notNull().check(sql`method in ('key', 'token', 'link', 'openid')`),
      )
      .addColumn('operator_id', columns.id, (column) => column.references('operators.id'))
      .addColumn('binding', columns.text, (column) => column.notNull())
      .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
      .addColumn('ends_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
    await sql`create index operator_sessions_over on operator_sessions (expires_at_ms)`.execute(db)
    await sql`create index operator_sessions_of on operator_sessions (actor, created_at_ms)`.execute(db)
    await db.schema
      .createTable('sign_in_links')
      .addColumn('digest', columns.id, (column) => column.primaryKey().notNull())
      .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
      .modifyEnd(columns.strict)
      .execute()
  }
}
