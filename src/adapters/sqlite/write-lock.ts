import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sent-error.ts'

const TIMEOUT_MS = 5_000
const PAUSE_MS = 0.25

/**
 * Begins a transaction that may write. SQLite's own retries, with pauses of up to 100 ms, would often miss the short
 * gaps between the commits of a busy process, so this function retries more often. It blocks its thread.
 */
export function takeWriteLock(database: DatabaseSync, { timeoutMs = TIMEOUT_MS } = {}): void {
  const deadlineMs = performance.now() + timeoutMs
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
