import type { JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../canonical/losses.ts'
import type { StreamError } from '../canonical/reply-event.ts'
import { isNil, isNonEmptyArray } from '../values/values.ts'

/** A content block as this wire has it. */
export type WireBlock = Record<string, unknown> & { type: string }

/** One event of this wire. JSON escapes every end of line, so that no text can pass for an event of its own. */
export function sseEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The type this wire gives a failure. */
export const ERROR_TYPES: Readonly<Record<StreamError['kind'], string>> = {
  broken: 'api_error',
  vendor: 'api_error',
  busy: 'overloaded_error',
  refused: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  'too-late': 'timeout_error',
  draining: 'overloaded_error',
}

/** What a block may bear beside its content: that it is to be cached, and where its statements come from. */
export function declareMarks({ cache_control: mark, citations }: JsonObject, losses: Set<LossName>): void {
  if (!isNil(mark)) losses.add('cache_control')
  if (isNonEmptyArray(citations)) losses.add('citations')
}
