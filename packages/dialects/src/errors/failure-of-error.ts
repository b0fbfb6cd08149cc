import type { StreamError } from '../canonical/reply-event.ts'
import { isJsonObject } from '../json/json-object.ts'
import { overflowMessage } from './overflow.ts'
import { type HidingOptions, readVendorError } from './vendor-error.ts'

/** Reads a vendor's error of any dialect, in an event or in place of a reply. */
export function failureOfError(body: unknown, hiding: HidingOptions = {}): StreamError {
  const { message, code } = readVendorError(body, hiding)
  const kind = kindOf(body)
  const overflow = kind === undefined || kind === 'refused' ? overflowMessage({ code, message }) : undefined
  if (overflow !== undefined) return { kind: 'too-long', message: overflow }
  return { kind: kind ?? 'vendor', message }
}

function kindOf(body: unknown): StreamError['kind'] | undefined {
  for (const code of codesOf(body)) {
    const kind = KINDS.get(String(code))
    if (kind !== undefined) return kind
  }
  return undefined
}

/** Vendors give a code or a type, in `error` or at the top. A code is more precise than a type. */
function codesOf(body: unknown): unknown[] {
  if (!isJsonObject(body)) return []
  const { error } = body
  const nested = isJsonObject(error) ? [error.code, error.type] : []
  return [...nested, body.code, body.type]
}

const KINDS: ReadonlyMap<string, StreamError['kind']> = new Map<string, StreamError['kind']>([
  ['429', 'busy'],
  ['503', 'busy'],
  ['529', 'busy'],
  ['overloaded_error', 'busy'],
  ['rate_limit_error', 'busy'],
  ['rate_limit_exceeded', 'busy'],
  ['server_is_overloaded', 'busy'],
  ['server_overloaded', 'busy'],
  ['slow_down', 'busy'],
  ['400', 'refused'],
  ['413', 'refused'],
  ['422', 'refused'],
  ['BadRequestError', 'refused'],
  ['content_filter', 'refused'],
  ['invalid_prompt', 'refused'],
  ['invalid_request_error', 'refused'],
  ['request_too_large', 'refused'],
  ['timeout_error', 'too-late'],
])
