import { plainValue } from './browser-return.ts'
import { SUCCESS } from './decide-result.ts'

/**
 * Where the person's browser goes in the end: the stored address with the contract's parameters behind whatever
 * query it has. Nothing else of it changes, and the text is fit for a header.
 */
export function redirectUrl({
  callbackUrl,
  resultCode,
  groupId,
  consentUrl,
  ...diagnostics
}: {
  callbackUrl: string
  resultCode: string
  /** Told only with a success. */
  groupId: string | undefined
  /** Where the person can take the consent back; told only with a success. */
  consentUrl: string | undefined
  verifyType: string | undefined
  algorithmBaseRespCode: string | undefined
  reqMeasureInfoValue: string | undefined
}): string {
  const parameters: [string, string | undefined][] = [
    ['resultCode', plainValue(resultCode) ?? 'unknown'],
    ['group_id', resultCode === SUCCESS ? groupId : undefined],
    ['verify_type', plainValue(diagnostics.verifyType)],
    ['algorithmBaseRespCode', plainValue(diagnostics.algorithmBaseRespCode)],
    ['reqMeasureInfoValue', plainValue(diagnostics.reqMeasureInfoValue)],
    ['consent_url', resultCode === SUCCESS ? consentUrl : undefined],
  ]
  const added = parameters.flatMap(([name, value]) => (value === undefined ? [] : [pair(name, value)]))
  const url = new URL(callbackUrl)
  // As a text: to read the query and write it again would spell the client's own parameters differently.
  url.search = [url.search, ...added].filter((part) => part !== '').join('&')
  return url.href
}

function pair(name: string, value: string): string {
  return `${name}=${encodeURIComponent(value.toWellFormed())}`
}
