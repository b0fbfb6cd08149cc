import type { Exchange } from '../../ports/asset-driver.ts'
import type { StoredVerification } from '../../ports/asset-store.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { AssetVendor } from '../assets/asset-vendor.ts'
import { openKept } from './sealed-verification.ts'

export interface ExchangeTools {
  vendor: AssetVendor | undefined
  clock: Clock
  secrets: Secrets
  pause: Pause
  log: Log
  patienceMs?: number
}

/** No call begins after that: with the 20 s that the last one may take, a person still waits for the answer. */
const PATIENCE_MS = 8_000

const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 2_000

/**
 * Asks the vendor for the group behind the token, and asks again as long as the vendor has surely not taken the call.
 * `not-taken` when patience is over: then the token is as good as before.
 */
export function exchangeToken({
  vendor,
  clock,
  secrets,
  pause,
  log,
  patienceMs = PATIENCE_MS,
}: ExchangeTools): (verification: StoredVerification) => Promise<Exchange> {
  return async (verification) => {
    const { organizationId, provider } = verification
    const exchange = await askUntilTaken(verification)
    if (exchange.kind === 'not-taken') {
      const error = exchange.cause
      log.warn('verification.exchange_delayed', { organizationId, provider, error })
    }
    if (exchange.kind === 'unanswered') {
      const error = exchange.cause
      log.error('verification.exchange_failed', { organizationId, provider, error })
    }
    return exchange
  }

  async function askUntilTaken(verification: StoredVerification): Promise<Exchange> {
    const untilMs = clock.monotonicMs() + patienceMs
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      const exchange = await ask(verification)
      if (exchange.kind !== 'not-taken') return exchange
      const waitMs = Math.max(pauseMs, exchange.retryAfterMs ?? 0)
      if (clock.monotonicMs() + waitMs >= untilMs) return exchange
      await pause(waitMs)
    }
  }

  async function ask({ id, organizationId, provider, sealedToken }: StoredVerification): Promise<Exchange> {
    try {
      if (vendor?.provider !== provider) throw new Error('the provider is not configured any longer')
      if (sealedToken === null) throw new Error('the token is gone')
      return await vendor.driver.exchange(openKept('token', sealedToken, id, secrets), organizationId)
    } catch (cause) {
      return { kind: 'unanswered', cause, retryAfterMs: undefined }
    }
  }
}
