import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ApiError } from '../../domain/api-error.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Engine } from '../sql/engine.ts'
import { storeOn } from '../sql/store-on.ts'
import { findDataFiles, prepareDataFiles } from './data-files.ts'
import { sqliteEngine } from './engine.ts'
import { migrateSqlite } from './migrate.ts'
import { isBusy } from './sent-error.ts'

export interface SqliteStoreOptions {
  dataDir: string
  /** `server`: the only server of a data folder. `beside`: a command, which never creates a store. */
  role: 'server' | 'beside'
  log: Log
  metrics?: Metrics
}

export async function openSqliteStore({ dataDir, role, log, metrics }: SqliteStoreOptions): Promise<Store> {
  const files = role === 'server' ? prepareDataFiles(dataDir) : findDataFiles(dataDir)
  const releaseLock = role === 'server' ? claimDataDir({ dataDir, lock: files.lock }) : () => {}
  try {
    await migrateSqlite({ dataDir, changes: role === 'server' ? 'any-store' : 'none' })
    const engine = await openEngine({ path: files.database, log, metrics, role })
    const close = async () => {
      await engine.close()
      releaseLock()
    }
    return storeOn({ ...engine, close })
  } catch (error) {
    releaseLock()
    throw error
  }
}

/** Opens the engine. A server that cannot write fails at its start, not at its first request. */
async function openEngine(tools: {
  path: string
  log: Log
  metrics: Metrics | undefined
  role: 'server' | 'beside'
}): Promise<Engine> {
  const { role, ...options } = tools
  const engine = sqliteEngine(options)
  try {
    if (role === 'server') await engine.ping()
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/**
 * Makes this process the only server of a data folder, and returns a function that releases the folder. The
 * operating system holds the lock, so that a killed server leaves none. The locked file is beside the
 * database, so that commands and an operator's SQL can work while the server runs.
 */
function claimDataDir({ dataDir, lock }: { dataDir: string; lock: string }): () => void {
  const database = new DatabaseSync(lock, { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (cause) {
    database.close()
    throw isBusy(cause) ? alreadyClaimed(dataDir, cause) : cause
  }
  return () => database.close()
}

function alreadyClaimed(dataDir: string, cause: unknown): ApiError {
  return new ApiError('store_unavailable', {
    message:
      `Another Sluice server is running on DATA_DIR ${resolve(dataDir)}. ` +
      'Stop that one first, or give this one a DATA_DIR of its own. ' +
      'Several servers on the same data need PostgreSQL: set DATABASE_URL.',
    cause,
  })
}
