import { ApiError, type ApiErrorDetails } from '../../domain/api-error.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { DecryptionKeys } from '../../ports/secrets.ts'

export interface ThreadData {
  decryptionKeys: DecryptionKeys
}

export interface JobMessage {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  args: unknown
}

/** `fault` is an unexpected error, a bug of the gateway. */
export type JobReply = { bytes: Uint8Array<ArrayBuffer> } & (
  | { result: unknown }
  | { apiError: PlainApiError }
  | { fault: unknown }
)

/** Fields of an ApiError, which loses its class in a message to another thread. */
interface PlainApiError extends Omit<ApiErrorDetails, 'command' | 'cause'> {
  code: ErrorCode
}

export function plainApiError(apiError: ApiError): PlainApiError {
  const { code, message, param, place, retryAfterSeconds, vendorCode, details } = apiError
  return { code, message, param: param ?? undefined, place, retryAfterSeconds, vendorCode, details }
}

export function apiErrorOf({ code, ...details }: PlainApiError): ApiError {
  return new ApiError(code, details)
}
