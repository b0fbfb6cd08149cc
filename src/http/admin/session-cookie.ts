import type { IncomingMessage } from 'node:http'
import type { AdminDoor } from './admin-key-check.ts'

/** Over https the name has a start that browsers let only us set, for this host and with `Secure`. */
const NAME = 'sluice_session'
const SECURE_NAME = `__Host-${NAME}`

/** A cookie that comes twice was put there by another site, and counts as none. */
export function readSessionCookie(request: IncomingMessage, door: AdminDoor): string | undefined {
  return readCookie(request, isHttps(request, door) ? SECURE_NAME : NAME)
}

export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

/** `value` undefined: the browser forgets it. Without a date the cookie also ends with the browser. */
export function sessionCookie(value: string | undefined, request: IncomingMessage, door: AdminDoor): string {
  const secure = isHttps(request, door)
  const parts = [`${secure ? SECURE_NAME : NAME}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict']
  if (secure) parts.push('Secure')
  if (value === undefined) parts.push('Max-Age=0')
  return parts.join('; ')
}

/** The header is the client's word where no proxy sets it; a false one only keeps its own cookie from it. */
export function isHttps({ headers }: IncomingMessage, { publicOrigin }: AdminDoor): boolean {
  return publicOrigin?.startsWith('https:') === true || headers['x-forwarded-proto'] === 'https'
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

/** One address of IPv4; of IPv6 the half that a household or a server gets as a whole. */
export function addressOf({ socket }: IncomingMessage): string {
  const address = socket.remoteAddress ?? ''
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? [] : Array(8).fill('0')
  return [...groups, ...missing].slice(0, 4).join(':')
}
