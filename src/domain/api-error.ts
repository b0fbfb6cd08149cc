import { RequestError } from '@sluice/dialects/request-error'
import type { Micros } from './billing/micros.ts'
import { ERRORS, type ErrorCode } from './errors.ts'

export interface ApiErrorDetails {
  /** Replaces the message of `ERRORS`; clients read it. */
  message?: string
  param?: string | undefined
  /** Line and column of a fault in the body, kept out of the message, which the contract fixes. */
  place?: string | undefined
  retryAfterSeconds?: number
  /** A vendor's own code of the error, for clients that use its dialect. */
  vendorCode?: string
  /** Details for programs; only the messages dialect carries them. */
  details?: object | undefined
  /** A command that helps; only the command line adds it to the message. */
  command?: string
  /** Cause for the log; it never reaches a client. */
  cause?: unknown
}

/** A busy process makes thousands of these errors a second. Their stack traces would cost a tenth of the throughput. */
const FREQUENT_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'overloaded',
  'rate_limit_exceeded',
  'invalid_api_key',
  'insufficient_balance',
  'body_too_large',
])

/** Error for a client. Any other error except a `RequestError` is a fault of the gateway, answered `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly param: string | null
  readonly place: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly vendorCode: string | undefined
  readonly details: object | undefined
  readonly command: string | undefined
  priceMicros: Micros | undefined

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    const { stackTraceLimit } = Error
    if (FREQUENT_ERRORS.has(code)) Error.stackTraceLimit = 0
    super(details.message ?? ERRORS[code].message, { cause: details.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ApiError'
    this.code = code
    this.param = details.param ?? null
    this.place = details.place
    this.retryAfterSeconds = details.retryAfterSeconds ?? defaultRetryAfterSeconds(code)
    this.vendorCode = details.vendorCode
    this.details = details.details
    this.command = details.command
  }

  /** Message and position, for envelopes whose messages the contract does not fix. */
  get messageWithPlace(): string {
    return this.place === undefined ? this.message : `${this.message} (${this.place})`
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  get type(): string {
    return ERRORS[this.code].type
  }
}

export function invalidParameter(param: string | undefined, message: string): ApiError {
  return new ApiError('invalid_parameter', { param, message })
}

/** Returns the client's error, converting those of the text dialects; undefined: the thrown value is a fault of the gateway. */
export function asApiError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown
  if (!(thrown instanceof RequestError)) return undefined
  const { code, message, param, place, details } = thrown
  return new ApiError(code, { message, param: param ?? undefined, place, details })
}

/** Every 429, 503 and 529 tells the client when to try again. */
function defaultRetryAfterSeconds(code: ErrorCode): number | undefined {
  const { status } = ERRORS[code]
  return status === 429 || status === 503 || status === 529 ? 1 : undefined
}
