import { createHash, timingSafeEqual } from 'node:crypto'
import { boundPerMinute } from '../../app/limits/rate/bound-per-minute.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RawRequest } from '../raw.ts'
import type { Forwarded } from '../server/forwarded.ts'

export interface AdminAccess {
  /** Takes a time that reveals nothing about the right key. */
  isKey(presented: string): boolean
  /** Counts a wrong key of an address and returns the error: 401, or 429 after ten in a minute. */
  refuseKey(request: RawRequest): ApiError
  /** Counts a step of a sign-in over OpenID, which may call the provider. Returns 429 after a hundred in a minute. */
  countOpenIdStep(request: RawRequest): ApiError | undefined
  requestMsMax: number
  /** From `PUBLIC_BASE_URL`; undefined when it is not set. */
  publicOrigin: string | undefined
  isHttps(request: RawRequest): boolean
}

export const ADMIN_UNAUTHORIZED = 'unauthorized'

/** Limit of the contract. */
const REQUEST_MS_MAX = 30_000
/** Limits for one address. */
const WRONG_KEYS_PER_MINUTE_MAX = 10
const OPENID_STEPS_PER_MINUTE_MAX = 100

export function createAdminAccess(tools: {
  adminApiKey: string
  publicBaseUrl?: string | undefined
  forwarded: Forwarded
  clock: Clock
}): AdminAccess {
  const { adminApiKey, publicBaseUrl, forwarded, clock } = tools
  const publicOrigin = publicBaseUrl === undefined ? undefined : new URL(publicBaseUrl).origin
  const wrongKeys = boundPerMinute({ clock, max: WRONG_KEYS_PER_MINUTE_MAX })
  const openIdSteps = boundPerMinute({ clock, max: OPENID_STEPS_PER_MINUTE_MAX })
  return {
    isKey: createAdminKeyCheck(adminApiKey),
    refuseKey: (request) => wrongKeys.count(forwarded.addressOf(request)) ?? unauthorized(),
    countOpenIdStep: (request) => openIdSteps.count(forwarded.addressOf(request)),
    requestMsMax: REQUEST_MS_MAX,
    publicOrigin,
    isHttps: (request) => publicOrigin?.startsWith('https:') === true || forwarded.isHttps(request),
  }
}

/** Compares digests, which have one length, so that the time reveals nothing about the key. */
export function createAdminKeyCheck(adminApiKey: string): AdminAccess['isKey'] {
  const expected = digestOf(adminApiKey)
  return (presented) => timingSafeEqual(digestOf(presented), expected)
}

export function unauthorized(): ApiError {
  return new ApiError('invalid_api_key', { message: ADMIN_UNAUTHORIZED })
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
