import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Refusal } from '../../domain/refusal.ts'
import { isBusy } from './failure.ts'

/**
 * Makes this process the only server on a data folder, and returns what gives it back. The lock is the operating
 * system's, so that a killed server leaves none; it stands beside the database, so that the command line and an
 * operator's SQL can work while the server runs.
 */
export function claimDataDir({ dataDir, lock }: { dataDir: string; lock: string }): () => void {
  const database = new DatabaseSync(lock, { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (cause) {
    database.close()
    throw isBusy(cause) ? alreadyClaimed(dataDir, cause) : cause
  }
  return () => database.close()
}

function alreadyClaimed(dataDir: string, cause: unknown): Refusal {
  return new Refusal('store_unavailable', {
    message:
      `Another Sluice server is running on DATA_DIR ${resolve(dataDir)}. ` +
      'Stop that one first, or give this one a DATA_DIR of its own. ' +
      'Several servers on the same data need PostgreSQL: set DATABASE_URL.',
    cause,
  })
}
