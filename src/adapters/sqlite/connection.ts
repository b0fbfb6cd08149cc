import { DatabaseSync } from 'node:sqlite'

/** Longest wait for a migration or a series of commits by another process. */
const OPEN_TIMEOUT_MS = 30_000
/** In WAL a reader waits only while another process recovers the file; this runs on the main thread. */
const READ_TIMEOUT_MS = 1_000

/**
 * Opens the file for writing: durable at every commit, references checked. Undo data of savepoints stays in memory
 * instead of a temporary file.
 */
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
