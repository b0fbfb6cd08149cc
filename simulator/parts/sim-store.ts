import { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import type { Engine, RunOperation } from '../../src/adapters/sql/engine.ts'
import { migrate } from '../../src/adapters/sql/migrate.ts'
import { RollbackWith } from '../../src/adapters/sql/rollback-with.ts'
import { storeOn } from '../../src/adapters/sql/store-on.ts'
import type { Tables } from '../../src/adapters/sql/tables.ts'
import { SQLITE_COLUMNS } from '../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../src/adapters/sqlite/query-builder.ts'
import { SQLITE_TRAITS } from '../../src/adapters/sqlite/traits.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Owner } from '../kernel/world.ts'
import type { Gate } from './gate.ts'

/** The tables of a new store, made once for all runs of the process. */
let template: Uint8Array | undefined

/** One database in memory with the real SQL, for all replicas. */
export interface SimStore {
  database: DatabaseSync
  /** Number of rows changed by writes up to the last commit: the books check again when it has grown. */
  readonly changes: number
  /** Opens the store for one replica. */
  openFor(owner: Owner, gate: Gate): Store
  /** The store without a network in between, for the simulator itself. */
  direct: Store
}

export async function openSimStore(): Promise<SimStore> {
  template ??= await makeTemplate()
  const database = new DatabaseSync(':memory:')
  database.deserialize(template)
  const db = queryBuilder(database)
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const rollback = database.prepare('rollback')
  const countChanges = database.prepare('select total_changes() as total')
  let changes = 0
  let last: Promise<unknown> = Promise.resolve()

  /** Runs calls one after the other, because the store has one connection. */
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }

  async function write<T>(run: () => Promise<T>): Promise<T> {
    begin.run()
    try {
      const result = await run()
      commit.run()
      changes = Number(countChanges.get()?.total)
      return result
    } catch (error) {
      rollback.run()
      if (error instanceof RollbackWith) return error.answer
      throw error
    }
  }

  function engineBehind(call: <T>(name: string, act: () => Promise<T>) => Promise<T>): Engine {
    const read: RunOperation = ({ name, run }, args) => call(name, () => inTurn(() => run(db, ...args)))
    const change: RunOperation = ({ name, run }, args) =>
      call(name, () => inTurn(() => write(() => run(db, ...args, SQLITE_TRAITS))))
    return {
      ...{ read, readLong: read, report: read, write: change, single: change },
      ping: () => call('ping', async () => {}),
      close: async () => {},
    }
  }

  return {
    database,
    get changes() {
      return changes
    },
    openFor: (owner, gate) => storeOn(engineBehind((name, act) => gate.call(owner, name, act))),
    direct: storeOn(engineBehind((_name, act) => act())),
  }
}

async function makeTemplate(): Promise<Uint8Array> {
  const database = new DatabaseSync(':memory:')
  const db: Kysely<Tables> = queryBuilder(database)
  await migrate(db, { columns: SQLITE_COLUMNS, changes: 'any-store' })
  const bytes = database.serialize()
  database.close()
  return bytes
}
