import type { LossName } from './losses.ts'
import type { EndReason, ReplyEvent, ReplyTokens } from './reply-event.ts'

/** The good end of a reply, as a reader tells it. */
export function replyEnd(
  reason: EndReason,
  tokens: ReplyTokens | undefined,
  losses: ReadonlySet<LossName>,
): ReplyEvent {
  if (losses.size === 0) return { kind: 'reply-end', reason, tokens }
  return { kind: 'reply-end', reason, tokens, losses: [...losses] }
}
