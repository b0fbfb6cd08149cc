import { DatabaseSync } from 'node:sqlite'

/** Maximum wait for a migration or a series of commits of another process. */
const OPEN_TIMEOUT_MS = 30_000
/**
 * Maximum wait of a reader, which blocks the main thread. In WAL mode a reader waits only while another
 * process recovers the file.
 */
const READ_TIMEOUT_MS = 1_000

/**
 * Opens the file for writing. Every commit is durable, and references are checked. Undo data of savepoints
 * stays in memory, not in a temporary file.
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
