import type { DatabaseSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from '../sql/tables.ts'
import { NodeSqliteConnection, NodeSqliteDriver } from './driver.ts'

/** Kysely on a connection that is already open; the caller closes it. */
export function queryBuilder(database: DatabaseSync): Kysely<Tables> {
  const connection = new NodeSqliteConnection(database)
  const driver = new NodeSqliteDriver(connection)
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  return new Kysely<Tables>({
    config: { dialect },
    dialect,
    driver,
    executor: new DirectExecutor(connection, driver),
  })
}

/**
 * There is one connection and it is always free: what Kysely does to lend one out for each statement costs more than
 * most statements do.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection, driver: NodeSqliteDriver) {
    super(new SqliteQueryCompiler(), new TransactionalAdapter(), new DefaultConnectionProvider(driver), [])
    this.#connection = connection
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery<Row>(query)
  }
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
