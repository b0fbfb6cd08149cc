import { DatabaseSync } from 'node:sqlite'

/** Maximum wait for a migration or a series of commits of another process. */
const OPEN_TIMEOUT_MS = 30_000
/** Maximum wait of a reader, which blocks the main thread while another process recovers the file. */
const READ_TIMEOUT_MS = 1_000

/** Opens the file for writing, with durable commits and undo data of savepoints in memory. */
export function openForWriting(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS })
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma fullfsync = on;
    pragma trusted_schema = off;
    pragma temp_store = memory;
  `)
  return database
}

export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: READ_TIMEOUT_MS, readOnly: true })
}
