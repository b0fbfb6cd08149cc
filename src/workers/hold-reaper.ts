import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 2_000

/** Ends holds that are past their deadline. */
export function startHoldReaper({ expireHolds, log }: { expireHolds: () => Promise<void>; log: Log }): Loop {
  return startLoop({
    pass: expireHolds,
    pauseMs: PAUSE_MS,
    log,
    failure: 'hold.expiry_failed',
  })
}
