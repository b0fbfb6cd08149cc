import { ApiError } from '../../domain/api-error.ts'
import type { ErrorCode } from '../../domain/errors.ts'

export interface ToThread {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  args: unknown
}

/** `fault`: not a refusal, but a mistake of ours. */
export type FromThread = { bytes: Uint8Array<ArrayBuffer> } & (
  | { result: unknown }
  | { refusal: PlainApiError }
  | { fault: unknown }
)

/** A class does not cross to another thread. */
interface PlainApiError {
  code: ErrorCode
  message: string
  param?: string
  retryAfterSeconds?: number
  vendorCode?: string
  details?: object
}

export function plainApiError(refusal: ApiError): PlainApiError {
  const { code, message, param, retryAfterSeconds, vendorCode, details } = refusal
  return {
    code,
    message,
    ...(param !== null && { param }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(vendorCode !== undefined && { vendorCode }),
    ...(details !== undefined && { details }),
  }
}

export function apiErrorOf({ code, ...details }: PlainApiError): ApiError {
  return new ApiError(code, details)
}
