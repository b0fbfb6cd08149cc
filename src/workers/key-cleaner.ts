import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 10_000

/** Keeps the table of idempotency keys as small as what is still replayed. */
export function startKeyCleaner({
  dropExpiredKeys,
  log,
}: {
  dropExpiredKeys: () => Promise<void>
  log: Log
}): Loop {
  return startLoop({
    pass: dropExpiredKeys,
    pauseMs: PAUSE_MS,
    log,
    failure: 'idempotency.cleanup_failed',
  })
}
