import type { TextTokens } from '../../domain/billing/cost-of-text.ts'
import type { BlockHead, EndReason, ReplyTokens } from '../hub/reply-event.ts'

/** What of a reply's blocks decides how it is said to have ended. */
export class BlocksSeen {
  hasCall = false
  hasRefusal = false

  add(block: BlockHead): void {
    if (block.kind === 'tool-call') this.hasCall = true
    if (block.kind === 'refusal') this.hasRefusal = true
  }
}

export interface Ending {
  stop_reason: string | null
  stop_sequence: string | null
}

export function writeEnding(reason: EndReason, seen: BlocksSeen): Ending {
  return {
    stop_reason: writeStopReason(reason, seen),
    stop_sequence: reason.kind === 'stop-sequence' ? reason.sequence : null,
  }
}

/**
 * A client runs tools when the reason says so and at no other time, so a call that was not cut short always ends as
 * `tool_use`, and a reply without one never does, whatever the vendor called it.
 */
function writeStopReason(reason: EndReason, { hasCall, hasRefusal }: BlocksSeen): string {
  switch (reason.kind) {
    case 'length':
      return 'max_tokens'
    case 'content-filter':
      return 'refusal'
    case 'stop-sequence':
      return 'stop_sequence'
    default:
      if (hasCall) return 'tool_use'
      return hasRefusal ? 'refusal' : 'end_turn'
  }
}

/** All four counts always: clients add them up without looking. How much was thinking is said when it is known. */
export function writeUsage(tokens: TextTokens | ReplyTokens | undefined): object {
  const usage = {
    input_tokens: tokens?.input ?? 0,
    cache_creation_input_tokens: tokens?.cacheWrite ?? 0,
    cache_read_input_tokens: tokens?.cachedInput ?? 0,
    output_tokens: tokens?.output ?? 0,
  }
  if (tokens === undefined || !('reasoning' in tokens) || tokens.reasoning === 0) return usage
  return { ...usage, output_tokens_details: { thinking_tokens: tokens.reasoning } }
}
