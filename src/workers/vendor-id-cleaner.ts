import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 5_000

/** Keeps the table of vendors' ids as small as what may still be named. */
export function startVendorIdCleaner({
  dropExpired,
  log,
}: {
  dropExpired: () => Promise<void>
  log: Log
}): Loop {
  return startLoop({
    pass: dropExpired,
    pauseMs: PAUSE_MS,
    log,
    failure: 'vendor_ids.cleanup_failed',
  })
}
