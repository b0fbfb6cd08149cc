import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { type PreparedStatement, statementCache } from './statement-cache.ts'

const STATEMENTS_MAX = 256

/** Kysely's side of one `node:sqlite` connection. Everything in it is done when the call returns. */
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
    // Kysely's types say what the rows of its query are; the driver cannot know better.
    if (returnsRows) return { rows: statement.all(...parameters) as Row[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a stream, and no query of ours is one.
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
