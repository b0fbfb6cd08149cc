import type { Allowances } from '../app/billing/allowances.ts'
import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 1_000

/** Renews the leases that are in use and gives back what lies idle. */
export function startAllowanceKeeper({ allowances, log }: { allowances: Allowances; log: Log }): Loop {
  return startLoop({
    pass: () => allowances.keep(),
    pauseMs: PAUSE_MS,
    log,
    failure: 'allowance.renew_failed',
  })
}
