import type { BrowserReturn } from '../../domain/assets/browser-return.ts'
import { claimsSuccess, decideResult, type VerificationResult } from '../../domain/assets/decide-result.ts'
import { redirectUrl } from '../../domain/assets/redirect.ts'
import type { Exchange } from '../../ports/asset-driver.ts'
import type { AssetStore, StoredVerification, VerificationStore } from '../../ports/asset-store.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { AssetVendor } from '../assets/asset-vendor.ts'
import type { Runtime } from '../runtime.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'
import type { ConsentUrlOf } from './consent-link.ts'
import { encryptKept, openKept } from './encrypted-verification.ts'

export interface EndTools extends ExchangeTools, Pick<Runtime, 'newId'> {
  assets: Pick<AssetStore, 'bindPerson'>
  verifications: Pick<VerificationStore, 'finish' | 'releaseExchange'>
  retries: WriteRetries
  consentUrlOf: ConsentUrlOf
  metrics: Pick<Metrics, 'verificationEnded'>
}

/** Both methods return the next URL of the browser. The first stored result decides it. */
export interface EndVerification {
  /**
   * Exchanges the token, unless the browser reports a failure, for the visit that claimed the exchange at `claimedAtMs`.
   * Returns undefined when the vendor could not be called: the claim is released, and the verification is still open.
   */
  byAsking(
    verification: StoredVerification,
    visit: { browser: BrowserReturn; claimedAtMs: number; isRepeat?: boolean },
  ): Promise<string | undefined>
  asFailed(verification: StoredVerification): Promise<string>
}

/** A scan is paid for and can be exchanged only once, so the write of its result is retried for a while. */
const RETRY_WRITE_MS = 10 * 60_000

export function endVerification(tools: EndTools): EndVerification {
  const { vendor, assets, verifications, retries, newId, clock, secrets, metrics, consentUrlOf } = tools
  const exchange = exchangeToken(tools)

  return {
    async byAsking(verification, { browser, claimedAtMs, isRepeat = false }) {
      const outcome = claimsSuccess(browser) ? await exchange(verification, isRepeat) : undefined
      if (outcome?.kind === 'not-taken') return giveBack(verification, claimedAtMs)
      return write(verification, decideResult({ browser, exchange: outcome }), browser)
    },
    asFailed: (verification) => write(verification, NO_GROUP, NOTHING),
  }

  function giveBack({ id, organizationId }: StoredVerification, atMs: number): Promise<undefined> {
    const attempt = async () => void (await verifications.releaseExchange({ id, atMs }))
    return retries.retryUntilStored(attempt, { organizationId, forMs: RETRY_WRITE_MS })
  }

  function write(
    verification: StoredVerification,
    result: VerificationResult,
    browser: BrowserReturn,
  ): Promise<string> {
    const { id, organizationId, encryptedCallbackUrl } = verification
    const groupId = newId('group')
    const callbackUrl = openKept('callback', encryptedCallbackUrl, id, secrets)
    const attempt = async () => {
      const bound = result.kind === 'granted' ? await bind(verification, result, groupId) : undefined
      const { kind, resultCode } = result.kind === 'granted' && bound === undefined ? NO_GROUP : result
      const consentUrl = bound && consentUrlOf(bound.id)
      const url = redirectUrl({ ...browser, callbackUrl, resultCode, groupId: bound?.id, consentUrl })
      const encryptedRedirect = encryptKept('redirect', url, id, secrets)
      const finished = await verifications.finish({ id, encryptedRedirect, atMs: clock.nowMs() })
      metrics.verificationEnded(kind)
      return openKept('redirect', finished?.encryptedRedirect ?? encryptedRedirect, id, secrets)
    }
    return retries.retryUntilStored(attempt, { organizationId, forMs: RETRY_WRITE_MS })
  }

  /** A person verified before keeps the earlier group. A person erased during the call stays erased. */
  function bind(
    { id: verificationId, organizationId, provider }: StoredVerification,
    { groupTicket }: Extract<VerificationResult, { kind: 'granted' }>,
    id: string,
  ) {
    const createdAtMs = clock.nowMs()
    return assets.bindPerson(
      { id, organizationId, kind: 'person', provider, ticket: groupTicket, createdAtMs },
      { verificationId, isRemover: vendor?.provider === provider && vendor.canDelete },
    )
  }
}

const NO_GROUP = { kind: 'denied', resultCode: 'exchange_failed' } as const

const NOTHING: BrowserReturn = {
  resultCode: undefined,
  verifyType: undefined,
  algorithmBaseRespCode: undefined,
  reqMeasureInfoValue: undefined,
}

interface ExchangeTools extends Pick<Runtime, 'clock' | 'log' | 'pause' | 'secrets'> {
  vendor: AssetVendor | undefined
  patienceMs?: number
}

/** No call begins after this time. The last call may take 20 s more, for which a person still waits. */
const PATIENCE_MS = 8_000

const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 2_000

/**
 * Asks the vendor for the group of the token, and repeats the call while the vendor has certainly not taken it. Returns
 * `not-taken` when the time is over: the token is then still unused. All calls together count as one failure of the
 * vendor, because otherwise one person's visit would open the breaker for the organization.
 */
function exchangeToken(
  input: ExchangeTools,
): (verification: StoredVerification, isRepeat: boolean) => Promise<Exchange> {
  const { vendor, clock, secrets, pause, log, patienceMs = PATIENCE_MS } = input
  return async (verification, isRepeat) => {
    const { organizationId, provider } = verification
    const exchange = await callUntilTaken(verification, isRepeat)
    if (exchange.kind === 'not-taken')
      log.warn('verification.exchange_delayed', { organizationId, provider, error: exchange.cause })
    if (exchange.kind === 'unanswered')
      log.error('verification.exchange_failed', { organizationId, provider, error: exchange.cause })
    return exchange
  }

  async function callUntilTaken(verification: StoredVerification, wasAsked: boolean): Promise<Exchange> {
    const untilMs = clock.monotonicMs() + patienceMs
    let isRepeat = wasAsked
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      const exchange = await ask(verification, isRepeat)
      if (exchange.kind !== 'not-taken' || vendor?.provider !== verification.provider) return exchange
      isRepeat = true
      const waitMs = Math.max(pauseMs, exchange.retryAfterMs ?? 0)
      if (clock.monotonicMs() + waitMs >= untilMs) return exchange
      await pause(waitMs)
    }
  }

  async function ask(verification: StoredVerification, isRepeat: boolean): Promise<Exchange> {
    const { id, organizationId, provider, encryptedToken } = verification
    // The token can be exchanged only once, and a later visit may find the provider enabled again.
    if (vendor?.provider !== provider)
      return { kind: 'not-taken', cause: new Error('the provider is not enabled'), retryAfterMs: undefined }
    try {
      if (encryptedToken === null) throw new Error('the token is gone')
      const token = openKept('token', encryptedToken, id, secrets)
      return await vendor.driver.exchange(token, organizationId, { isRepeat })
    } catch (cause) {
      return { kind: 'unanswered', cause, retryAfterMs: undefined }
    }
  }
}
