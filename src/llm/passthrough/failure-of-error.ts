import { isJsonObject } from '../hub/json-object.ts'
import type { ReplyFailure } from '../hub/reply-failure.ts'
import { readVendorError } from '../vendor-error.ts'

/** What a vendor's own error, in an event or in place of a reply, means to us. */
export function failureOfError(body: unknown): ReplyFailure {
  const { message } = readVendorError(body)
  const words = wordsOf(body)
  if (words.some((word) => BUSY.has(word))) return { kind: 'busy', message }
  if (words.some((word) => REFUSED.has(word))) return { kind: 'refused', message }
  return { kind: 'vendor', message }
}

const BUSY: ReadonlySet<unknown> = new Set([
  'overloaded_error',
  'rate_limit_error',
  'rate_limit_exceeded',
  'server_is_overloaded',
  'slow_down',
])

const REFUSED: ReadonlySet<unknown> = new Set([
  'invalid_request_error',
  'invalid_prompt',
  'context_length_exceeded',
  'request_too_large',
])

/** Vendors say what is wrong as a type or as a code, at the top or in `error`. */
function wordsOf(body: unknown): unknown[] {
  if (!isJsonObject(body)) return []
  const nested = isJsonObject(body.error) ? [body.error.type, body.error.code] : []
  return [body.code, ...nested]
}
