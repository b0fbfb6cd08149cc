import type { RequestClaims } from '../app/text/replay/request-claims.ts'
import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

/** A third of a lease. */
const PAUSE_MS = 10_000

/** Renews the claims of requests that are still running. */
export function startClaimKeeper({ claims, log }: { claims: RequestClaims; log: Log }): Loop {
  return startLoop({
    pass: () => claims.renew(),
    pauseMs: PAUSE_MS,
    log,
    failure: 'claim.renew_failed',
  })
}
