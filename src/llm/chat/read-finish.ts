import type { EndReason } from '../hub/reply-event.ts'
import type { ReplyFailure } from '../hub/reply-failure.ts'

/** How a reply ended by its `finish_reason`. A word nobody told us of is still the vendor's own end. */
export function readFinish(
  word: string,
  { hasCalls }: { hasCalls: boolean },
): { reason: EndReason } | { failure: ReplyFailure } {
  const failure = FAILURES.get(word)
  if (failure !== undefined) return { failure }
  const cut = CUTS.get(word)
  if (cut !== undefined) return { reason: cut }
  // Some vendors say "stop" after calls, and a few "tool_calls" without any.
  return { reason: { kind: hasCalls ? 'tool-calls' : 'done' } }
}

const CUTS: ReadonlyMap<string, EndReason> = new Map<string, EndReason>([
  ['length', { kind: 'length' }],
  ['max_tokens', { kind: 'length' }],
  ['model_length', { kind: 'length' }],
  ['content_filter', { kind: 'content-filter' }],
])

const FAILURES: ReadonlyMap<string, ReplyFailure> = new Map<string, ReplyFailure>([
  ['error', { kind: 'vendor', message: 'The provider ended the reply with an error.' }],
  ['insufficient_system_resource', { kind: 'busy', message: 'The provider ran out of room for this reply.' }],
])
