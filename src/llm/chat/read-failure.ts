import { isJsonObject, type JsonObject } from '../hub/json-object.ts'
import type { ReplyFailure } from '../hub/reply-failure.ts'
import { readVendorError } from '../vendor-error.ts'

/** What a vendor says in place of a reply, or in the middle of one; undefined: it is no error. */
export function readFailure(body: JsonObject, isSaidToBe: boolean): ReplyFailure | undefined {
  const hasError = body.error !== undefined && body.error !== null
  if (!isSaidToBe && !hasError && body.object !== 'error') return undefined
  const { message, code } = readVendorError(body)
  const type = isJsonObject(body.error) ? body.error.type : body.type
  return { kind: KINDS.get(code ?? '') ?? KINDS.get(String(type)) ?? 'vendor', message }
}

const KINDS: ReadonlyMap<string, ReplyFailure['kind']> = new Map<string, ReplyFailure['kind']>([
  ['429', 'busy'],
  ['503', 'busy'],
  ['529', 'busy'],
  ['rate_limit_exceeded', 'busy'],
  ['rate_limit_error', 'busy'],
  ['overloaded_error', 'busy'],
  ['server_overloaded', 'busy'],
  ['slow_down', 'busy'],
  ['400', 'refused'],
  ['413', 'refused'],
  ['422', 'refused'],
  ['context_length_exceeded', 'refused'],
  ['content_filter', 'refused'],
  ['invalid_request_error', 'refused'],
  ['BadRequestError', 'refused'],
])
