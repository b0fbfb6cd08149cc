import type { BrowserReturn } from '../../domain/assets/browser-return.ts'
import { claimsSuccess, decideResult, type VerificationResult } from '../../domain/assets/decide-result.ts'
import { redirectUrl } from '../../domain/assets/redirect.ts'
import type { AssetStore, StoredVerification, VerificationStore } from '../../ports/asset-store.ts'
import type { NewId } from '../../ports/ids.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'
import { type ExchangeTools, exchangeToken } from './exchange-token.ts'
import { openKept, sealKept } from './sealed-verification.ts'

export interface EndTools extends ExchangeTools {
  assets: Pick<AssetStore, 'bindPerson'>
  verifications: Pick<VerificationStore, 'finish' | 'releaseExchange'>
  retries: WriteRetries
  newId: NewId
}

/** Both return where the browser goes: what was stored first stands. */
export interface EndVerification {
  /**
   * Exchanges the token, if the browser does not deny the success. For the visit that has claimed the right to it at
   * `claimedAtMs`. undefined: the vendor could not be asked; the right is given back, and nothing has ended.
   */
  byAsking(
    verification: StoredVerification,
    { browser, claimedAtMs }: { browser: BrowserReturn; claimedAtMs: number },
  ): Promise<string | undefined>
  /** Without asking the vendor. */
  asFailed(verification: StoredVerification): Promise<string>
}

/** A scan is paid for and cannot be asked about twice, so its result is written even while the store comes and goes. */
const RETRY_WRITE_MS = 10 * 60_000

export function endVerification(tools: EndTools): EndVerification {
  const { assets, verifications, retries, newId, clock, secrets } = tools
  const exchange = exchangeToken(tools)

  return {
    async byAsking(verification, { browser, claimedAtMs }) {
      const outcome = claimsSuccess(browser) ? await exchange(verification) : undefined
      if (outcome?.kind === 'not-taken') return giveBack(verification, claimedAtMs)
      return write(verification, decideResult({ browser, exchange: outcome }), browser)
    },
    asFailed: (verification) =>
      write(verification, { kind: 'denied', resultCode: 'exchange_failed' }, NOTHING),
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
    return retries.retryUntilStored(attempt, { organizationId, forMs: RETRY_WRITE_MS })
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
