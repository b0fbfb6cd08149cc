import { plainValue } from './browser-return.ts'
import { SUCCESS } from './decide-result.ts'

/**
 * Final address for the person's browser: the stored address with the parameters of the API after its query. Its
 * encoding may change too, because the result must be valid in a header.
 */
export function redirectUrl(input: {
  callbackUrl: string
  resultCode: string
  /** Sent only with a success. */
  groupId: string | undefined
  /** Page to revoke the consent; sent only with a success. */
  consentUrl: string | undefined
  verifyType: string | undefined
  algorithmBaseRespCode: string | undefined
  reqMeasureInfoValue: string | undefined
}): string {
  const { callbackUrl, resultCode, groupId, consentUrl, ...diagnostics } = input
  const parameters: [string, string | undefined][] = [
    ['resultCode', plainValue(resultCode) ?? 'unknown'],
    ['group_id', resultCode === SUCCESS ? groupId : undefined],
    ['verify_type', plainValue(diagnostics.verifyType)],
    ['algorithmBaseRespCode', plainValue(diagnostics.algorithmBaseRespCode)],
    ['reqMeasureInfoValue', plainValue(diagnostics.reqMeasureInfoValue)],
    ['consent_url', resultCode === SUCCESS ? consentUrl : undefined],
  ]
  const added = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`],
  )
  const url = new URL(callbackUrl)
  // The query is extended as text: parsing and serializing would spell the client's own parameters differently.
  url.search = [url.search, ...added].filter((part) => part !== '').join('&')
  return url.href
}
