import { type BrowserReturn, plainValue } from './browser-return.ts'

/** End of a verification, and the `resultCode` for the client. */
export type VerificationResult =
  | { kind: 'granted'; groupTicket: string; resultCode: typeof SUCCESS }
  | { kind: 'denied'; resultCode: string }

/** The code for success, for the vendor and in the contract. */
export const SUCCESS = '10000'

/** Result of the gateway's own exchange of the token; undefined: there was no exchange. */
export type ExchangeOutcome =
  | { kind: 'group'; groupTicket: string }
  | { kind: 'no-group' }
  | { kind: 'unanswered' }
  | undefined

/** The browser can deny, never grant: a group comes only from the gateway's own exchange. */
export function decideResult(input: {
  browser: BrowserReturn
  exchange: ExchangeOutcome
}): VerificationResult {
  const { browser, exchange } = input
  if (browser.resultCode !== SUCCESS) return { kind: 'denied', resultCode: failureCode(browser.resultCode) }
  if (claimsSuccess(browser) && exchange?.kind === 'group') {
    return { kind: 'granted', groupTicket: exchange.groupTicket, resultCode: SUCCESS }
  }
  return { kind: 'denied', resultCode: 'exchange_failed' }
}

/** Whether the token is worth an exchange. Only a live face counts; a vendor may leave the type out. */
export function claimsSuccess({ resultCode, verifyType }: BrowserReturn): boolean {
  return resultCode === SUCCESS && isLive(verifyType)
}

function isLive(verifyType: string | undefined): boolean {
  return verifyType === undefined || /^real[_-]?time$/i.test(verifyType)
}

/** Returns no code that a client with loose number parsing could take for success. */
function failureCode(resultCode: string | undefined): string {
  const code = plainValue(resultCode)
  if (code === undefined || looksLikeSuccess(code)) return 'unknown'
  return code
}

function looksLikeSuccess(code: string): boolean {
  const success = Number(SUCCESS)
  return Number(code) === success || Number.parseInt(code, 10) === success
}
