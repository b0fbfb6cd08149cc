import { problemOfUrl, type UrlCheck } from '../parse-https-url.ts'
import { createAddressCheck } from './address-check.ts'
import { checkHost } from './literal-address.ts'

/** Checks whether a URL may be fetched, by its text alone: the client that fetches it resolves a name. */
export function createUrlCheck(allowedRanges: readonly string[]): UrlCheck {
  const isAllowed = createAddressCheck({ allow: allowedRanges })
  return (url) => checkHost(new URL(url), isAllowed) !== 'forbidden'
}

/** Finds the problem of a URL. It completes "<param> ..."; undefined: the URL may be fetched. */
export function findUrlProblem(allowedRanges: readonly string[]): (url: string) => string | undefined {
  const isAllowedUrl = createUrlCheck(allowedRanges)
  return (url) => problemOfUrl(url, isAllowedUrl)
}
