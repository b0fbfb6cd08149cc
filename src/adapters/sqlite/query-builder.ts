import type { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from '../sql/tables.ts'
import { NodeSqliteDriver } from './driver.ts'

/** Kysely on a connection that is already open; the caller closes it. */
export function queryBuilder(database: DatabaseSync): Kysely<Tables> {
  const dialect: Dialect = {
    createDriver: () => new NodeSqliteDriver(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  return new Kysely<Tables>({ dialect })
}

/**
 * SQLite rolls back schema changes like any others. Saying so makes the migrations one transaction, which begins by
 * taking the write lock: a second process waits there and then finds nothing left to do.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
