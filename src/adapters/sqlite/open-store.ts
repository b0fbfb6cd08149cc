import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Engine } from '../sql/engine.ts'
import { storeOn } from '../sql/store.ts'
import { claimDataDir } from './claim.ts'
import { findDataFiles, prepareDataFiles } from './data-files.ts'
import { sqliteEngine } from './engine.ts'
import { migrateSqlite } from './migrate.ts'

export interface SqliteStoreOptions {
  dataDir: string
  /** There is one server on a data folder; the command line works beside it, and never makes a store. */
  role: 'server' | 'beside'
  log: Log
  metrics?: Metrics
}

export async function openSqliteStore({ dataDir, role, log, metrics }: SqliteStoreOptions): Promise<Store> {
  const files = role === 'server' ? prepareDataFiles(dataDir) : findDataFiles(dataDir)
  const giveBack = role === 'server' ? claimDataDir({ dataDir, lock: files.lock }) : () => {}
  try {
    await migrateSqlite({ dataDir, changes: role === 'server' ? 'any-store' : 'none' })
    const engine = await openEngine({ path: files.database, log, metrics, role })
    const close = async () => {
      await engine.close()
      giveBack()
    }
    return storeOn({ ...engine, close })
  } catch (error) {
    giveBack()
    throw error
  }
}

/** A server finds out now, and not at its first customer, that it cannot write here. */
async function openEngine({
  role,
  ...options
}: {
  path: string
  log: Log
  metrics: Metrics | undefined
  role: 'server' | 'beside'
}): Promise<Engine> {
  const engine = sqliteEngine(options)
  try {
    if (role === 'server') await engine.ping()
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}
