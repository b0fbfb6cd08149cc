import type { EndReason } from '../hub/reply-event.ts'

/** Why a reply ended. undefined: the vendor gave no reason, so it did not end. */
export function readEndReason(reason: unknown, sequence: unknown): EndReason | undefined {
  if (typeof reason !== 'string') return undefined
  switch (reason) {
    case 'stop_sequence':
      return { kind: 'stop-sequence', sequence: typeof sequence === 'string' ? sequence : '' }
    case 'tool_use':
      return { kind: 'tool-calls' }
    case 'max_tokens':
    case 'model_context_window_exceeded':
    // A paused turn has not said all it wanted to, just like one that was cut.
    case 'pause_turn':
      return { kind: 'length' }
    case 'refusal':
      return { kind: 'content-filter' }
    default:
      return { kind: 'done' }
  }
}
