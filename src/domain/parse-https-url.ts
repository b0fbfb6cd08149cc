import { hasAtMost } from '@sluice/dialects/values/characters'
import { ApiError } from './api-error.ts'

/** This length is enough for a link with a long signature. */
export const URL_LENGTH_MAX = 8_192

/** Checks by its text alone whether an HTTPS URL may be fetched; a literal private address may not. */
export type UrlCheck = (url: string) => boolean

/** Regular expression for JSON schemas; checks what `isHttpsUrl` checks, except parsing. */
export const HTTPS_URL_PATTERN =
  '[Hh][Tt][Tt][Pp][Ss]://[^/\\\\\\u0000-\\u001f\\u007f-\\u009f][^\\\\\\u0000-\\u001f\\u007f-\\u009f]*'

/** Returns the trimmed URL, not normalized; throws an API error if it is not allowed. */
export function parseHttpsUrl(
  value: unknown,
  param: string,
  isAllowedUrl: UrlCheck,
  demand = 'must be a valid HTTPS URL',
): string {
  const url = typeof value === 'string' ? value.trim() : ''
  const problem = isHttpsUrl(url) ? problemOfUrl(url, isAllowedUrl) : demand
  if (problem === undefined) return url
  throw new ApiError('invalid_parameter', { param, message: `${param} ${problem}.` })
}

/**
 * Requires two slashes, no backslash and no control character. Otherwise parsers disagree about the host, and the vendor
 * may call a host that the gateway did not check.
 */
function isHttpsUrl(url: string): boolean {
  return /^https:\/\/[^/\\]/i.test(url) && !/[\\\p{Cc}]/u.test(url) && URL.canParse(url)
}

/** Returns text that completes "<param> ..."; undefined: the gateway and vendors may fetch the URL. */
export function problemOfUrl(url: string, isAllowedUrl: UrlCheck): string | undefined {
  if (!isHttpsUrl(url)) return 'must be a valid HTTPS URL'
  if (!hasAtMost(URL_LENGTH_MAX, url)) return `must have at most ${URL_LENGTH_MAX} characters`
  const parsed = URL.parse(url)
  if (parsed?.username !== '' || parsed.password !== '') return 'must not carry a user name or a password'
  if (!isPlainlySpelt(url, parsed.hostname)) return 'must spell its IPv4 address as four plain numbers'
  return isAllowedUrl(url) ? undefined : 'must lead to a public address'
}

/**
 * Requires one spelling of an address: parsers read `010.8.8.8` as 8.8.8.8 or 10.8.8.8, and differ on hexadecimal, short
 * and full-width spellings too.
 */
function isPlainlySpelt(url: string, hostname: string): boolean {
  return !/^\d+(?:\.\d+){3}$/.test(hostname) || /^https:\/\/([^/?#:]*)/i.exec(url)?.[1] === hostname
}
