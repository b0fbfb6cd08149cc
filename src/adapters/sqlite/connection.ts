import { DatabaseSync } from 'node:sqlite'

/** A migration or a burst of commits by another process may take this long before we give up. */
const OPEN_PATIENCE_MS = 30_000
/** In WAL a reader waits only while another process recovers the file; this runs on the main thread. */
const READ_PATIENCE_MS = 1_000

/**
 * Opens the file for writing: durable at every commit, references checked. What a savepoint may have to undo is kept in
 * memory, not in a file that is made and deleted each time.
 */
export function openForWriting(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: OPEN_PATIENCE_MS })
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
  return new DatabaseSync(path, { timeout: READ_PATIENCE_MS, readOnly: true })
}
