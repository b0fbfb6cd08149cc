import type { Courier } from '../app/callbacks/courier.ts'
import type { Log } from '../ports/log.ts'
import { type Loop, startLoop } from './loop.ts'

const PAUSE_MS = 1_000

/** Finds what other replicas wrote, and what nobody could deliver when it was due. */
export function startCallbackCourier({ courier, log }: { courier: Courier; log: Log }): Loop {
  const loop = startLoop({
    pass: () => courier.pass(),
    pauseMs: PAUSE_MS,
    log,
    failure: 'callback.claim_failed',
  })
  return {
    async stop() {
      await loop.stop()
      await courier.stop()
    },
  }
}
