import type { BrowserReturn } from '../../domain/assets/browser-return.ts'
import { claimsSuccess, decideResult, type VerificationResult } from '../../domain/assets/decide-result.ts'
import { redirectUrl } from '../../domain/assets/redirect.ts'
import type { Exchange } from '../../ports/asset-service.ts'
import type { AssetStore, StoredVerification, VerificationStore } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { AssetVendor } from '../assets/asset-vendor.ts'
import type { Insistence } from '../video/insist.ts'
import { openKept, sealKept } from './sealed-verification.ts'

export interface EndTools {
  vendor: AssetVendor | undefined
  assets: Pick<AssetStore, 'bindPerson'>
  verifications: Pick<VerificationStore, 'finish'>
  insistence: Insistence
  newId: NewId
  clock: Clock
  secrets: Secrets
  log: Log
}

/** Both return where the browser goes: what was stored first stands. */
export interface EndVerification {
  /** Exchanges the token, if the browser does not deny the success. For whoever has the right to it, once. */
  byAsking(verification: StoredVerification, browser: BrowserReturn): Promise<string>
  /** Without asking anybody. */
  asFailed(verification: StoredVerification): Promise<string>
}

/** A scan is paid for and cannot be asked about twice, so its result is written even while the store comes and goes. */
const INSIST_MS = 10 * 60_000

export function endVerification(tools: EndTools): EndVerification {
  const { vendor, assets, verifications, insistence, newId, clock, secrets, log } = tools

  return {
    async byAsking(verification, browser) {
      const exchange = claimsSuccess(browser) ? await ask(verification) : undefined
      return write(verification, decideResult({ browser, exchange }), browser)
    },
    asFailed: (verification) =>
      write(verification, { kind: 'denied', resultCode: 'exchange_failed' }, NOTHING),
  }

  async function ask(verification: StoredVerification): Promise<Exchange> {
    const { id, organizationId, provider, sealedToken } = verification
    const exchange = await exchangeOrNot(openKept('token', sealedToken, id, secrets), provider)
    if (exchange.kind === 'unanswered') {
      const error = exchange.cause
      log.error('the token of a verification could not be exchanged', { organizationId, provider, error })
    }
    return exchange
  }

  async function exchangeOrNot(token: string, provider: string): Promise<Exchange> {
    try {
      if (vendor?.provider !== provider) throw new Error('the provider is not configured any longer')
      return await vendor.service.exchange(token)
    } catch (cause) {
      return { kind: 'unanswered', cause, retryAfterMs: undefined }
    }
  }

  function write(
    verification: StoredVerification,
    result: VerificationResult,
    browser: BrowserReturn,
  ): Promise<string> {
    const { id, organizationId, sealedCallbackUrl } = verification
    const groupId = newId('group')
    const callbackUrl = openKept('callback', sealedCallbackUrl, id, secrets)
    const attempt = async () => {
      const bound = result.kind === 'granted' ? await bind(verification, result, groupId) : undefined
      const { resultCode } = result
      const url = redirectUrl({ ...browser, callbackUrl, resultCode, groupId: bound?.id })
      const sealedRedirect = sealKept('redirect', url, id, secrets)
      const finished = await verifications.finish({ id, sealedRedirect, atMs: clock.nowMs() })
      return openKept('redirect', finished?.sealedRedirect ?? sealedRedirect, id, secrets)
    }
    return insistence.write(attempt, { organizationId, forMs: INSIST_MS })
  }

  /** A person whom the organization has verified before keeps the group of that time. */
  function bind(
    { organizationId, provider }: StoredVerification,
    { groupTicket }: Extract<VerificationResult, { kind: 'granted' }>,
    id: string,
  ) {
    const createdAtMs = clock.nowMs()
    return assets.bindPerson({
      id,
      organizationId,
      kind: 'person',
      provider,
      ticket: groupTicket,
      createdAtMs,
    })
  }
}

const NOTHING: BrowserReturn = {
  resultCode: undefined,
  verifyType: undefined,
  algorithmBaseRespCode: undefined,
  reqMeasureInfoValue: undefined,
}
