import { isJsonObject } from '../hub/json-object.ts'
import type { ReplyFailure } from '../hub/reply-failure.ts'
import { readVendorError } from '../vendor-error.ts'

/** What an error object of this wire (`{"type":"error","error":{"type","message"}}`) says. */
export function readFailure(value: unknown): ReplyFailure {
  const type = isJsonObject(value) && isJsonObject(value.error) ? value.error.type : undefined
  return { kind: KINDS.get(String(type)) ?? 'vendor', message: readVendorError(value).message }
}

const KINDS: ReadonlyMap<string, ReplyFailure['kind']> = new Map([
  ['overloaded_error', 'busy'],
  ['rate_limit_error', 'busy'],
  ['invalid_request_error', 'refused'],
  ['request_too_large', 'refused'],
  ['timeout_error', 'too-late'],
])

/** The type this wire gives a failure. */
export const ERROR_TYPES: Readonly<Record<ReplyFailure['kind'], string>> = {
  broken: 'api_error',
  vendor: 'api_error',
  busy: 'overloaded_error',
  refused: 'invalid_request_error',
  'too-late': 'timeout_error',
  draining: 'overloaded_error',
}
