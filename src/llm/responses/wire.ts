import type { JsonObject } from '../../domain/json-object.ts'
import type { StreamError } from '../canonical/reply-event.ts'

/** The `type` of an item, which two kinds may leave out; undefined: it has none, and nothing says what it is. */
export function kindOfItem(item: JsonObject): string | undefined {
  const { type } = item
  if (typeof type === 'string') return type
  if (type !== undefined && type !== null) return undefined
  if (item.role !== undefined || item.content !== undefined) return 'message'
  return typeof item.id === 'string' ? 'item_reference' : undefined
}

/** A text field that may be missing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** How this wire names a failure. The codes are those its clients know: some of them are tried again, some are not. */
export const FAILURE_WORDS: Readonly<Record<StreamError['kind'], { type: string; code: string }>> = {
  broken: { type: 'api_error', code: 'server_error' },
  vendor: { type: 'api_error', code: 'server_error' },
  'too-late': { type: 'api_error', code: 'server_error' },
  draining: { type: 'api_error', code: 'server_error' },
  busy: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  refused: { type: 'invalid_request_error', code: 'invalid_prompt' },
  'too-long': { type: 'invalid_request_error', code: 'context_length_exceeded' },
}
