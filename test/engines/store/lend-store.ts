import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { postgresEngine } from '../../../src/adapters/postgres/engine.ts'
import { openPool } from '../../../src/adapters/postgres/open-store.ts'
import type { Engine } from '../../../src/adapters/sql/engine.ts'
import { storeOn } from '../../../src/adapters/sql/store-on.ts'
import { sqliteEngine } from '../../../src/adapters/sqlite/engine.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import type { Store } from '../../../src/ports/store.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'
import { createServerFolder } from '../../servers/server-folder.ts'
import { SILENT_LOG } from './silent-log.ts'

/** An empty store for one test at a time. */
export interface LentStore {
  store: Store
  /** The file of SQLite, the address of PostgreSQL. */
  where: string
  /** Opens another store on the same rows. */
  openAgain(): Promise<Store>
  giveBack(): Promise<void>
}

/** Tables and engines that the tests of a worker use in turn. */
interface Rows {
  where: string
  engines: Engine[]
  open(): Engine
  empty(): Promise<void>
}

/**
 * Making tables and starting threads takes longer than most tests. So a store that is given back is emptied and lent
 * to the next test of the same worker.
 */
export const lendSqlite = lender(makeSqliteRows)
export const lendPostgres = lender(makePostgresRows)

function lender(make: () => Promise<Rows>): () => Promise<LentStore> {
  const idle: Rows[] = []
  return async () => {
    const rows = idle.pop() ?? (await make())
    const lent: Store[] = []
    const openAgain = async () => {
      const engine = rows.engines[lent.length] ?? rows.open()
      rows.engines[lent.length] = engine
      // The test may close its store; the engine stays open for the next test.
      const store = storeOn({ ...engine, close: async () => {} })
      lent.push(store)
      return store
    }
    return {
      store: await openAgain(),
      where: rows.where,
      openAgain,
      async giveBack() {
        await Promise.all(lent.map((store) => store.close()))
        await rows.empty()
        idle.push(rows)
      },
    }
  }
}

let folder: string | undefined

async function makeSqliteRows(): Promise<Rows> {
  folder ??= createServerFolder({ name: 'stores', owner: undefined, endSignal: 'KILL' }).path
  const dataDir = mkdtempSync(join(folder, 'store-'))
  await migrateSqlite({ dataDir })
  const path = join(dataDir, 'sluice.db')
  const operator = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: false })
  const tables = operator
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
  const clear = clearing(tables)
    .map((table) => `delete from ${table};`)
    .join(' ')
  return {
    where: path,
    engines: [],
    open: () => sqliteEngine({ path, log: SILENT_LOG, metrics: undefined }),
    empty: async () => operator.exec(`begin immediate; ${clear} commit`),
  }
}

async function makePostgresRows(): Promise<Rows> {
  const { url } = await databaseWithTables()
  const operator = new Client({ connectionString: url })
  operator.on('error', () => {})
  await operator.connect()
  const { rows } = await operator.query("select tablename from pg_tables where schemaname = 'public'")
  const tables = clearing(rows.map(({ tablename }) => tablename))
  const filled = tables
    .map((table) => `select '${table}' as name where exists (select from ${table})`)
    .join(' union all ')
  return {
    where: url,
    engines: [],
    open: () =>
      postgresEngine({ url, pool: openPool({ url, log: SILENT_LOG, maxConnections: CONNECTIONS }) }),
    // Truncating a table makes new files for it and its indexes, and a test fills only a few tables.
    async empty() {
      const names = (await operator.query(filled)).rows.map(({ name }) => name)
      if (names.length > 0) await operator.query(`truncate ${names.join(', ')} cascade`)
    },
  }
}

const CONNECTIONS = 10

/** Tables to empty: all except those that record which migrations ran. */
function clearing(tables: readonly string[]): readonly string[] {
  return tables.filter((table) => !table.includes('migration'))
}
