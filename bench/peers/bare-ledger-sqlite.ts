import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { NodeSqliteConnection, NodeSqliteDriver } from '../../src/adapters/sqlite/driver.ts'
import { SQLITE_TRAITS } from '../../src/adapters/sqlite/traits.ts'
import type { LedgerRun } from '../ledger-run.ts'
import { type RecordedStatement, recordPair } from './recorded-pair.ts'

/** The statements of a hold and of a settlement, prepared, on a connection of their own with the same durability. */
export async function bareLedgerSqlite(
  path: string,
  { pairsPerCommit }: { pairsPerCommit: number },
): Promise<LedgerRun> {
  const database = new DatabaseSync(path, { timeout: 10_000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma fullfsync = on')
  const name = `bare node:sqlite, ${pairsPerCommit} to a commit`
  const dialect: Dialect = {
    createDriver: () => new NodeSqliteDriver(new NodeSqliteConnection(database)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  const pair = await recordPair(name, { dialect, traits: SQLITE_TRAITS })
  const hold = prepareAll(database, pair.hold)
  const settlement = prepareAll(database, pair.settlement)
  const inOneCommit = (ids: string[], work: (id: string) => void) => {
    database.exec('begin immediate')
    for (const id of ids) work(id)
    database.exec('commit')
  }
  return {
    name,
    async run(ids) {
      for (let from = 0; from < ids.length; from += pairsPerCommit) {
        const group = ids.slice(from, from + pairsPerCommit)
        inOneCommit(group, hold)
        inOneCommit(group, settlement)
      }
    },
    close: async () => database.close(),
  }
}

function prepareAll(database: DatabaseSync, recorded: readonly RecordedStatement[]): (id: string) => void {
  const prepared = recorded.map(({ text, parametersOf }) => {
    const statement = database.prepare(text)
    const returnsRows = statement.columns().length > 0
    return (id: string) => {
      const parameters = parametersOf(id) as SQLInputValue[]
      if (returnsRows) statement.get(...parameters)
      else statement.run(...parameters)
    }
  })
  return (id) => {
    for (const run of prepared) run(id)
  }
}
