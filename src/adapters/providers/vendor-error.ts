import { ApiError } from '../../domain/api-error.ts'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import type { RefusalReason } from '../../domain/video/hand-over.ts'
import type { TaskError } from '../../domain/video/snapshot.ts'
import { toRetryAfterSeconds } from '../outbound/retry-after.ts'

/** Reasons of a refused call that make a difference for clients. */
export type VendorErrorKind =
  /** The prompt or the media may not be used. */
  | 'content-policy'
  | 'invalid-parameter'
  /** A later attempt may succeed. */
  | 'busy'
  /** Our account, key or settings are at fault, or a refused call has an unknown reason (also a vendor's 5xx). */
  | 'unavailable'
  | 'other'

export interface VendorError {
  kind: VendorErrorKind
  /** The vendor's message, cleaned. */
  message: string | undefined
  /** Name of the parameter in our own API. */
  param: string | undefined
}

/** Returns why a vendor refused a create call; undefined when the order is the reason, or the reason is unknown. */
export function refusalReason(
  number: number,
  { kind, isModelClosed = false }: Pick<VendorError, 'kind'> & { isModelClosed?: boolean },
): RefusalReason | undefined {
  if (kind === 'content-policy' || kind === 'invalid-parameter') return undefined
  if (isModelClosed) return 'model_not_open'
  return REASONS.get(number) ?? (number >= 500 && number < 600 ? 'server_error' : undefined)
}

const REASONS: ReadonlyMap<number, RefusalReason> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [429, 'rate_limited'],
  [480, 'no_credit'],
  [481, 'concurrency'],
])

/** Returns the error for a client whose create call the vendor refused. */
export function toApiError(
  { kind, message, param }: VendorError,
  { retryAfterMs, cause }: { retryAfterMs: number | undefined; cause: unknown },
): ApiError {
  const code = ERROR_CODES[kind]
  if (ERRORS[code].status !== 400) {
    return new ApiError(code, { retryAfterSeconds: toRetryAfterSeconds(retryAfterMs), cause })
  }
  return new ApiError(code, { message, param, cause })
}

const ERROR_CODES: Record<VendorErrorKind, ErrorCode> = {
  'content-policy': 'content_policy_violation',
  'invalid-parameter': 'invalid_parameter',
  busy: 'upstream_busy',
  unavailable: 'provider_unavailable',
  other: 'provider_unavailable',
}

/** Returns the error of a task that the vendor accepted and then failed. */
export function toTaskError({ kind, message }: Pick<VendorError, 'kind' | 'message'>): TaskError {
  const { code, text } = TASK_ERRORS[kind]
  // Clients must not read the vendor's messages about our account.
  return { code, message: code === 'provider_unavailable' ? text : (message ?? text) }
}

const UNAVAILABLE = { code: 'provider_unavailable', text: ERRORS.provider_unavailable.message }

const TASK_ERRORS: Record<VendorErrorKind, { code: string; text: string }> = {
  'content-policy': { code: 'content_policy_violation', text: ERRORS.content_policy_violation.message },
  'invalid-parameter': { code: 'invalid_parameter', text: ERRORS.invalid_parameter.message },
  busy: UNAVAILABLE,
  unavailable: UNAVAILABLE,
  other: { code: 'generation_failed', text: 'The provider could not make the video.' },
}
