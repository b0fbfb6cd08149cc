import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 60_000

/** Keeps the table of verifications as small as what somebody may still ask about. */
export function startVerificationCleaner({
  dropOldVerifications,
  log,
}: {
  dropOldVerifications: () => Promise<void>
  log: Log
}): Loop {
  return startLoop({
    pass: dropOldVerifications,
    pauseMs: PAUSE_MS,
    log,
    failure: 'verification.cleanup_failed',
  })
}
