import { type BrowserReturn, plainValue } from './browser-return.ts'

/** How a verification ended, and the `resultCode` that the client gets. */
export type VerificationResult =
  | { kind: 'granted'; groupTicket: string; resultCode: typeof SUCCESS }
  | { kind: 'denied'; resultCode: string }

/** The result code for success, the vendor's and the contract's. */
export const SUCCESS = '10000'

/** What our own exchange of the token came to; undefined when it was not asked for. */
export type ExchangeOutcome =
  | { kind: 'group'; groupTicket: string }
  | { kind: 'no-group' }
  | { kind: 'unanswered' }
  | undefined

/** The browser can deny, never grant: a group is only ever the one that our own exchange names. */
export function decideResult({
  browser,
  exchange,
}: {
  browser: BrowserReturn
  exchange: ExchangeOutcome
}): VerificationResult {
  if (browser.resultCode !== SUCCESS) return { kind: 'denied', resultCode: failureCode(browser.resultCode) }
  if (claimsSuccess(browser) && exchange?.kind === 'group') {
    return { kind: 'granted', groupTicket: exchange.groupTicket, resultCode: SUCCESS }
  }
  return { kind: 'denied', resultCode: 'exchange_failed' }
}

/** Whether the token is worth an exchange. Only a face that was there counts; a vendor need not say so, but may not say otherwise. */
export function claimsSuccess({ resultCode, verifyType }: BrowserReturn): boolean {
  return resultCode === SUCCESS && isLive(verifyType)
}

function isLive(verifyType: string | undefined): boolean {
  return verifyType === undefined || /^real[_-]?time$/i.test(verifyType)
}

/** Never a code that a client who reads numbers loosely could take for success. */
function failureCode(resultCode: string | undefined): string {
  const code = plainValue(resultCode)
  if (code === undefined || looksLikeSuccess(code)) return 'unknown'
  return code
}

function looksLikeSuccess(code: string): boolean {
  const success = Number(SUCCESS)
  return Number(code) === success || Number.parseInt(code, 10) === success
}
