import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { Kysely, PostgresDialect } from 'kysely'
import { Client, Pool } from 'pg'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { VALUE_PARSERS } from '../../../src/adapters/postgres/value-parsers.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { prepareDataFiles } from '../../../src/adapters/sqlite/data-files.ts'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import type { Store } from '../../../src/ports/store.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'

/** A store of a test's own whose engine can be cut off in the middle of its work. */
export interface LedgerEngine {
  open(): Promise<Store>
  /** A connection beside the store, to read its rows. */
  db: Kysely<Tables>
  /** Cuts off all open stores, at any point of their work. */
  cut(): Promise<void>
  cleanUp(): Promise<void>
}

/** The writer's thread is ended as a crash would: its transaction is never committed. */
export function onSqlite(): LedgerEngine {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-ledger-'))
  const threads = new Set<Worker>()
  const watch = (thread: Worker) => {
    threads.add(thread)
    thread.once('exit', () => threads.delete(thread))
  }
  process.on('worker', watch)
  const { database: path } = prepareDataFiles(dataDir)
  const database = new DatabaseSync(path, { timeout: 5_000 })
  return {
    open: () => openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG }),
    db: queryBuilder(database),
    cut: async () => {
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
    cleanUp: async () => {
      process.off('worker', watch)
      database.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Prepares statements, which run after every step: on a few rows PostgreSQL plans each for longer than it runs. */
class PreparingClient extends Client {
  override query(...words: unknown[]): never {
    const [text, values, ...others] = words
    const asked = typeof text === 'string' ? [{ name: hash('md5', text), text, values }, ...others] : words
    return Reflect.apply(super.query, this, asked) as never
  }
}

/** The server ends the store's sessions: what they had not committed is rolled back. */
export async function onPostgres(): Promise<LedgerEngine> {
  const { url, drop } = await databaseWithTables()
  const pool = new Pool({
    connectionString: url,
    max: 1,
    types: VALUE_PARSERS,
    Client: PreparingClient,
    options: '-c plan_cache_mode=force_generic_plan',
  })
  // `end` does not wait for connections, and dropping the database ends the rest with errors.
  pool.on('error', () => {})
  const operator = new Client({ connectionString: url })
  await operator.connect()
  return {
    open: () => openPostgresStore({ role: 'server', url, log: SILENT_LOG, metrics: watchedPools() }),
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    cut: async () => {
      await operator.query(`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where application_name = 'sluice' and datname = current_database()`)
    },
    cleanUp: async () => {
      await pool.end()
      await operator.end()
      await drop()
    },
  }
}
