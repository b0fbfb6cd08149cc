import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 2_000

/** Lowers the days of users who got something back. */
export function startRefundWatcher({
  applyRefunds,
  log,
}: {
  applyRefunds: () => Promise<void>
  log: Log
}): Loop {
  return startLoop({
    pass: applyRefunds,
    pauseMs: PAUSE_MS,
    log,
    failure: 'refunds.read_failed',
  })
}
