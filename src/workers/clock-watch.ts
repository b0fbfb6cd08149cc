import type { DeadlineClock } from '../app/waiting/deadline-clock.ts'
import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 1_000

/** Notices a jump of the wall clock before anything is decided by it. */
export function startClockWatch({ deadlineClock, log }: { deadlineClock: DeadlineClock; log: Log }): Loop {
  return startLoop({
    pass: async () => deadlineClock.look(),
    pauseMs: PAUSE_MS,
    log,
    failure: 'clock.watch_failed',
  })
}
