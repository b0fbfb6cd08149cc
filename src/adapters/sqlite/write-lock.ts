import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sent-error.ts'

const PATIENCE_MS = 5_000
const PAUSE_MS = 0.25

/**
 * Begins a transaction that may write. Another process under load leaves only short gaps between its commits, which
 * SQLite's own waiting, with pauses of up to 100 ms, would miss again and again; so we ask more often. Blocks its thread.
 */
export function takeWriteLock(database: DatabaseSync, { patienceMs = PATIENCE_MS } = {}): void {
  const deadlineMs = performance.now() + patienceMs
  while (!tryToBegin(database, { giveUp: performance.now() >= deadlineMs })) {
    Atomics.wait(NEVER_WOKEN, 0, 0, PAUSE_MS)
  }
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4))

function tryToBegin(database: DatabaseSync, { giveUp }: { giveUp: boolean }): boolean {
  try {
    database.exec('begin immediate')
    return true
  } catch (error) {
    if (giveUp || !isBusy(error)) throw error
    return false
  }
}
