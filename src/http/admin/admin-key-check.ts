import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { boundPerMinute } from '../../app/limits/rate/bound-per-minute.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Forwarded } from '../server/forwarded.ts'

/** How the edge recognises the operator's programs, and how long one request of theirs may take, body and all. */
export interface AdminDoor {
  /** Takes as long for a wrong key as for the right one, whatever their lengths. */
  isKey(presented: string): boolean
  /** Counts a wrong key and returns its answer: 401, or 429 after ten in a minute. Right keys are not counted and pass. */
  refuseKey(request: IncomingMessage): ApiError
  requestMsMax: number
  /** From `PUBLIC_BASE_URL`; undefined where it is not set. */
  publicOrigin: string | undefined
  /** Whether browsers reach us over https. */
  isHttps(request: IncomingMessage): boolean
}

export const ADMIN_UNAUTHORIZED = 'unauthorized'

/** The contract's limit. */
const REQUEST_MS_MAX = 30_000
/** From one address. */
const WRONG_KEYS_PER_MINUTE_MAX = 10

export function createAdminDoor({
  adminApiKey,
  publicBaseUrl,
  forwarded,
  clock,
}: {
  adminApiKey: string
  publicBaseUrl?: string | undefined
  forwarded: Forwarded
  clock: Clock
}): AdminDoor {
  const publicOrigin = publicBaseUrl === undefined ? undefined : new URL(publicBaseUrl).origin
  const wrongKeys = boundPerMinute({ clock, max: WRONG_KEYS_PER_MINUTE_MAX })
  return {
    isKey: createAdminKeyCheck(adminApiKey),
    refuseKey: (request) => wrongKeys.count(forwarded.addressOf(request)) ?? unauthorized(),
    requestMsMax: REQUEST_MS_MAX,
    publicOrigin,
    isHttps: (request) => publicOrigin?.startsWith('https:') === true || forwarded.isHttps(request),
  }
}

/** Digests are of one length: comparing them tells nothing about the key, not even how long it is. */
export function createAdminKeyCheck(adminApiKey: string): AdminDoor['isKey'] {
  const expected = digestOf(adminApiKey)
  return (presented) => timingSafeEqual(digestOf(presented), expected)
}

export function unauthorized(): ApiError {
  return new ApiError('invalid_api_key', { message: ADMIN_UNAUTHORIZED })
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
