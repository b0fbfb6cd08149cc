import type { IncomingMessage } from 'node:http'
import type { AdminDoor } from './admin-key-check.ts'

const NAME = 'sluice_session'

export function readSessionCookie(request: IncomingMessage, door: AdminDoor): string | undefined {
  return readCookie(NAME, request, door)
}

/** A cookie that comes twice was put there by another site, and counts as none. */
export function readCookie(name: string, request: IncomingMessage, door: AdminDoor): string | undefined {
  const start = `${cookieName(name, request, door)}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
  return values.length === 1 ? values[0] : undefined
}

/** `value` undefined: the browser forgets it. Without a date the cookie also ends with the browser. */
export function sessionCookie(value: string | undefined, request: IncomingMessage, door: AdminDoor): string {
  const age = value === undefined ? { seconds: 0 } : {}
  return writeCookie({ name: NAME, value, sameSite: 'Strict', ...age }, request, door)
}

interface Cookie {
  name: string
  value: string | undefined
  sameSite: 'Strict' | 'Lax'
  /** Left out: as long as the browser runs. */
  seconds?: number
}

export function writeCookie(
  { name, value = '', sameSite, seconds }: Cookie,
  request: IncomingMessage,
  door: AdminDoor,
): string {
  const parts = [`${cookieName(name, request, door)}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`]
  if (door.isHttps(request)) parts.push('Secure')
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`)
  return parts.join('; ')
}

/** Over https the name has a start that browsers let only us set, for this host and with `Secure`. */
function cookieName(name: string, request: IncomingMessage, door: AdminDoor): string {
  return door.isHttps(request) ? `__Host-${name}` : name
}

/** Where a browser says that a request comes from; `unknown`: it says nothing, as programs do. */
export type RequestOrigin = 'own' | 'foreign' | 'unknown'

/**
 * A page of another site can make a browser send a request, but not make it lie in these headers. Browsers leave the
 * first one out where the address is neither https nor this machine.
 */
export function originOf({ headers }: IncomingMessage, { publicOrigin }: AdminDoor): RequestOrigin {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign'
  const { origin, host } = headers
  if (origin === undefined) return 'unknown'
  if (origin === publicOrigin) return 'own'
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host ? 'own' : 'foreign'
}
