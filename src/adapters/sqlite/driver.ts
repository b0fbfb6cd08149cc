import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'

const STATEMENTS_MAX = 256

/** Kysely driver for one `node:sqlite` connection, which is synchronous. */
export class NodeSqliteDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(connection: DatabaseConnection, _settings: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

export class NodeSqliteConnection implements DatabaseConnection {
  readonly #prepare: (text: string) => PreparedStatement

  constructor(database: DatabaseSync) {
    this.#prepare = statementCache(database, { size: STATEMENTS_MAX })
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, returnsRows } = this.#prepare(query.sql)
    const parameters = query.parameters.map(toBindable)
    // Kysely's types describe the rows of its query; the driver cannot check them.
    if (returnsRows) return { rows: statement.all(...parameters) as Row[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
  }

  // biome-ignore lint/correctness/useYield: the interface requires a stream, and no query of ours is one.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Results of SQLite are not streamed.')
  }
}

function toBindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}.`)
}

interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
}

/** Caches prepared statements, of which there are few texts. The least recently used is dropped. */
export function statementCache(database: DatabaseSync, { size }: { size: number }) {
  const statements = new Map<string, PreparedStatement>()
  return (text: string): PreparedStatement => {
    const known = statements.get(text)
    // The order matters only when the cache is full.
    if (known !== undefined && statements.size < size) return known
    const prepared = known ?? prepare(database, text)
    statements.delete(text)
    statements.set(text, prepared)
    if (statements.size > size) forgetOldest(statements)
    return prepared
  }
}

function prepare(database: DatabaseSync, text: string): PreparedStatement {
  const statement = database.prepare(text)
  return { statement, returnsRows: statement.columns().length > 0 }
}

function forgetOldest(statements: Map<string, PreparedStatement>): void {
  const [oldest] = statements.keys()
  if (oldest !== undefined) statements.delete(oldest)
}
