import { ApiError } from '../../domain/api-error.ts'
import type { ErrorCode } from '../../domain/errors.ts'

/** Error of a statement as plain data, because an error loses its code between threads. */
export type SentError =
  | { kind: 'api-error'; code: ErrorCode; message: string; param: string | null; retryAfterSeconds?: number }
  | { kind: 'unavailable'; reason: string }
  | { kind: 'fault'; message: string; stack: string | undefined }

export function toSentError(error: unknown): SentError {
  if (error instanceof ApiError) return apiErrorToSentError(error)
  if (isUnavailable(error)) return { kind: 'unavailable', reason: describe(error) }
  if (error instanceof Error) return { kind: 'fault', message: describe(error), stack: error.stack }
  return { kind: 'fault', message: String(error), stack: undefined }
}

export function fromSentError(failure: SentError): Error {
  switch (failure.kind) {
    case 'api-error':
      return new ApiError(failure.code, {
        message: failure.message,
        param: failure.param ?? undefined,
        retryAfterSeconds: failure.retryAfterSeconds,
      })
    case 'unavailable':
      return unavailable(new Error(failure.reason))
    case 'fault': {
      const error = new Error(failure.message)
      error.stack = failure.stack ?? error.stack
      return error
    }
  }
}

export function unavailable(cause: unknown): ApiError {
  return new ApiError('store_unavailable', { cause })
}

/** Converts errors of the file, disk, lock or memory to `store_unavailable`. Other errors stay unchanged. */
export function presentFailure(error: unknown): unknown {
  return isUnavailable(error) ? unavailable(error) : error
}

export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY
}

function isUnavailable(error: unknown): boolean {
  const code = resultCode(error)
  return code !== undefined && UNAVAILABLE.has(code)
}

/** Result codes of SQLite that are about the file, the disk, locks or memory, and not about the statement. */
const BUSY = 5
const UNAVAILABLE: ReadonlySet<number> = new Set([
  BUSY,
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  26, // NOTADB
])

/** The low byte of `errcode` is the result code. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined
  return error.errcode & 0xff
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'errcode' in error ? `${error.message} (SQLite result code ${error.errcode})` : error.message
}

function apiErrorToSentError(apiError: ApiError): SentError {
  return {
    kind: 'api-error',
    code: apiError.code,
    message: apiError.message,
    param: apiError.param,
    retryAfterSeconds: apiError.retryAfterSeconds,
  }
}
