import type { RawRequest } from '../raw.ts'
import type { AdminAccess } from './admin-key-check.ts'

const NAME = 'sluice_session'

export function readSessionCookie(request: RawRequest, admin: AdminAccess): string | undefined {
  return readCookie(NAME, request, admin)
}

/** A cookie that comes twice counts as none: another site may have set one of the two. */
export function readCookie(name: string, request: RawRequest, admin: AdminAccess): string | undefined {
  const start = `${cookieName(name, request, admin)}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
  return values.length === 1 ? values[0] : undefined
}

/** An undefined `value` deletes the cookie; any other cookie ends when the browser is closed. */
export function sessionCookie(value: string | undefined, request: RawRequest, admin: AdminAccess): string {
  const age = value === undefined ? { seconds: 0 } : {}
  return writeCookie({ name: NAME, value, sameSite: 'Strict', ...age }, request, admin)
}

interface Cookie {
  name: string
  value: string | undefined
  sameSite: 'Strict' | 'Lax'
  /** Age at which the browser deletes the cookie. Default: when the browser is closed. */
  seconds?: number
}

export function writeCookie(cookie: Cookie, request: RawRequest, admin: AdminAccess): string {
  const { name, value = '', sameSite, seconds } = cookie
  const parts = [`${cookieName(name, request, admin)}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`]
  if (admin.isHttps(request)) parts.push('Secure')
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`)
  return parts.join('; ')
}

/** Over https the name has a prefix that browsers accept only for this host and with `Secure`. */
function cookieName(name: string, request: RawRequest, admin: AdminAccess): string {
  return admin.isHttps(request) ? `__Host-${name}` : name
}

/** Origin of a request according to its browser; `unknown`: programs send no origin. */
export type RequestOrigin = 'own' | 'foreign' | 'unknown'

/**
 * A page of another site can make a browser send a request, but cannot fake these headers. `sec-fetch-site` is absent
 * when the address of the gateway is neither https nor local; `origin` then decides.
 */
export function originOf({ headers }: RawRequest, { publicOrigin }: AdminAccess): RequestOrigin {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign'
  const { origin, host } = headers
  if (origin === undefined) return 'unknown'
  if (origin === publicOrigin) return 'own'
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host ? 'own' : 'foreign'
}
