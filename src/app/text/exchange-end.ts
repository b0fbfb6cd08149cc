import type { ReplyTokens } from '../../llm/hub/reply-event.ts'
import type { Relay } from './relay.ts'
import type { VendorRefusal } from './vendor-refusal.ts'

/** How a call ended: with something for the client, or with a refusal and nothing sent to it. */
export type ExchangeEnd = ServedEnd | { kind: 'refused'; refused: VendorRefusal; reached: boolean }

export interface ServedEnd {
  kind: 'served'
  outcome: 'completed' | 'failed' | 'hung-up'
  tokens: ReplyTokens | undefined
  outputBytes: number
  /** The vendor's count is of all that came out. Nobody asks after a reply that was completed: there `tokens` are. */
  isAllCounted?: boolean | undefined
  /** Where it reasoned and was not heard to its end: how long the proofs of that were, and how long it took so far. */
  hidden?: { proofBytes: number; durationMs: number } | undefined
  firstByteMs: number | undefined
  losses: Iterable<string>
}

/** What has come of a stream, or of nothing yet. A stream that was heard to its end is counted as far as its vendor counts. */
export function servedEnd(
  outcome: ServedEnd['outcome'],
  relay: Relay | undefined,
  { firstByteMs, durationMs }: { firstByteMs: number | undefined; durationMs: number },
): ServedEnd {
  if (relay === undefined)
    return { kind: 'served', outcome, tokens: undefined, outputBytes: 0, firstByteMs, losses: [] }
  const { tokens, outputBytes, reasoning, losses } = relay
  const isWhole = relay.state === 'ended'
  const isAllCounted = isWhole ? tokens !== undefined : relay.isAllCounted
  const hidden = isWhole || reasoning === undefined ? undefined : { ...reasoning, durationMs }
  return { kind: 'served', outcome, tokens, outputBytes, isAllCounted, hidden, firstByteMs, losses }
}
