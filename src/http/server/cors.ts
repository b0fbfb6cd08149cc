import type { CorsHeaders } from '../edge-request.ts'
import { plainPath } from '../errors/area-of-path.ts'
import type { RawRequest } from '../raw.ts'

/** Returns undefined at a path that never gets CORS headers. */
export type Cors = (head: CorsRequest) => CorsHeaders | undefined

export type CorsRequest = Pick<RawRequest, 'url' | 'method' | 'headers'>

/** Chromium reduces a larger value to this one; other browsers have other limits. */
const PREFLIGHT_KEPT_SECONDS = 7_200

const OPERATOR_PATH = /^\/(?:admin|console)(?:\/|$)/

/** Returns undefined without origins: requests then cost nothing more. */
export function corsFor(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined
  const replies = new Map<string | undefined, CorsHeaders>(
    origins.map((origin) => [
      origin,
      { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' },
    ]),
  )
  return (raw) => {
    if (OPERATOR_PATH.test(plainPath(raw.url ?? ''))) return undefined
    const headers = replies.get(raw.headers.origin)
    if (headers === undefined) return NOT_LISTED
    return isPreflight(raw) ? preflightHeaders(raw) : headers
  }
}

const NOT_LISTED: CorsHeaders = {}

/** Browsers send no key with a preflight, so it is answered before any guard. */
export function isPreflight({ method, headers }: CorsRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** SDKs send many headers of their own: all of them are allowed. */
function preflightHeaders({ headers }: CorsRequest): CorsHeaders {
  const { origin = '', 'access-control-request-headers': asked } = headers
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
    ...(asked === undefined ? {} : { 'access-control-allow-headers': String(asked) }),
    'access-control-max-age': String(PREFLIGHT_KEPT_SECONDS),
  }
}

/** A response depends on the origin, listed or not: caches have to know. */
export function addCorsHeaders(headers: Record<string, unknown>, cors: CorsHeaders): void {
  Object.assign(headers, cors)
  headers.vary = headers.vary === undefined ? 'Origin' : `${headers.vary}, Origin`
}
