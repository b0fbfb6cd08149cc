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

/** Creates Kysely on an open connection, which the caller closes. */
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

/** Skips the acquisition of the only connection, which is always free. It would cost more than most statements. */
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
 * Lets Kysely run the migrations in one transaction, because SQLite can roll back schema changes. The transaction
 * begins with the write lock, so that a second process waits and then finds nothing to do.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
