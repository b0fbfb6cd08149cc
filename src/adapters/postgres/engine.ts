import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { ApiError } from '../../domain/api-error.ts'
import type { Engine } from '../sql/engine.ts'
import type { EngineTraits } from '../sql/engine-traits.ts'
import { createLongReads } from '../sql/long-reads.ts'
import { RollbackWith } from '../sql/rollback-with.ts'
import {
  type ReportArgs,
  type ReportName,
  type ReportResult,
  runRead,
  runReport,
  runWrite,
  SINGLE_STATEMENT_WRITES,
  type WriteArgs,
  type WriteName,
  type WriteResult,
} from '../sql/run-operation.ts'
import type { Tables } from '../sql/tables.ts'
import { rethrow } from './failure.ts'
import { VALUE_PARSERS } from './value-parsers.ts'

export function postgresEngine({ url, pool }: { url: string; pool: Pool }): Engine {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  // Whatever is searched for, most connections are left to short reads and writes.
  const longReads = createLongReads({ atOnceMax: Math.max(1, Math.floor(pool.options.max / 4)) })
  return {
    read: (name, args) => runRead(db, name, args).catch(rethrow),
    // The server has a process for each connection, and looks there.
    readLong: (name, args) => longReads.run(args, () => runRead(db, name, args).catch(rethrow)),
    write: (name, args) => write(db, name, args).catch(rethrow),
    report: (name, args) => runReportOnSnapshot(url, name, args).catch(rethrow),
    ping: () => ping(db).catch(rethrow),
    async close() {
      await longReads.close()
      await pool.end()
    },
  }
}

function write<Name extends WriteName>(
  db: Kysely<Tables>,
  name: Name,
  args: WriteArgs<Name>,
): Promise<WriteResult<Name>> {
  if (SINGLE_STATEMENT_WRITES.has(name)) return runWrite(db, name, args, POSTGRES_TRAITS)
  return db
    .transaction()
    .execute((transaction) => runWrite(transaction, name, args, POSTGRES_TRAITS))
    .catch(answerOfUndone)
}

function answerOfUndone(error: unknown) {
  if (error instanceof RollbackWith) return error.answer
  throw error
}

/** A standby answers too, but takes no writes. */
async function ping(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ mode: string }>`
    select current_setting('transaction_read_only') as mode`.execute(db)
  if (rows[0]?.mode !== 'off') {
    throw new ApiError('store_unavailable', { cause: new Error('the server takes no writes') })
  }
}

export const POSTGRES_TRAITS: EngineTraits = {
  lockTable: async (db, table) => {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
  },
  lockName: async (db, name) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
  },
  // `for update` would wait for transactions that insert a row that refers to this one, and could deadlock with them.
  lockRows: sql`for no key update`,
  lockFreeRows: sql`for no key update skip locked`,
}

const CONNECT_TIMEOUT_MS = 5_000
/** For one statement over all rows; no request waits for it. */
const STATEMENT_TIMEOUT_MS = 600_000

/** A connection outside the pool: the pool's own limits are for requests, and it has none to spare. */
async function runReportOnSnapshot<Name extends ReportName>(
  url: string,
  name: Name,
  args: ReportArgs<Name>,
): Promise<ReportResult<Name>> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'sluice-report',
    max: 1,
    types: VALUE_PARSERS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(snapshot)
        return runReport(snapshot, name, args)
      })
  } finally {
    await pool.end()
  }
}
