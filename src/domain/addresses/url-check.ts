import { problemOfUrl, type UrlCheck } from '../parse-https-url.ts'
import { createAddressCheck } from './address-check.ts'
import { checkHost } from './literal-address.ts'

/** Checks the text of a URL only. The client that fetches the URL checks the addresses that a name resolves to. */
export function createUrlCheck(allowedRanges: readonly string[]): UrlCheck {
  const isAllowed = createAddressCheck({ allow: allowedRanges })
  return (url) => checkHost(new URL(url), isAllowed) !== 'forbidden'
}

/** Tells whether vendors can fetch our link: by HTTPS from a public host, or from an allowed private address. */
export function vendorReach(allowedRanges: readonly string[]): UrlCheck {
  const isAllowed = createUrlCheck(allowedRanges)
  const isPublic = createUrlCheck([])
  return (url) => isAllowed(url) && (url.startsWith('https:') || !isPublic(url))
}

/** Finds the problem of a URL, as text that completes "<param> ..."; undefined: the URL may be fetched. */
export function findUrlProblem(allowedRanges: readonly string[]): (url: string) => string | undefined {
  const isAllowedUrl = createUrlCheck(allowedRanges)
  return (url) => problemOfUrl(url, isAllowedUrl)
}
