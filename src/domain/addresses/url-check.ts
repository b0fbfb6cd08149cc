import type { UrlCheck } from '../parse-https-url.ts'
import { createAddressCheck } from './address-check.ts'
import { judgeHost } from './literal-address.ts'

/** Whether a URL may be fetched, as far as its text shows: a name is looked up by the client that fetches it. */
export function createUrlCheck(allowedRanges: readonly string[]): UrlCheck {
  const isAllowed = createAddressCheck({ allow: allowedRanges })
  return (url) => judgeHost(new URL(url), isAllowed) !== 'forbidden'
}
