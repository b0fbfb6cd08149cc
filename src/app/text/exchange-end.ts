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
  /** The vendor was heard to its own end: what it counted is all there is. */
  isHeardOut: boolean
  /** The vendor's count is of all that came out so far. */
  isAllCounted?: boolean | undefined
  /** Where a part of it was hidden: how long the proofs of that were, and how long it took so far. */
  hidden?: { proofBytes: number; durationMs: number } | undefined
  /** How often the vendor was seen to run a tool of its own. */
  hostedCalls?: number | undefined
  firstByteMs: number | undefined
  losses: Iterable<string>
}

/** What has come of a stream, or of a whole reply whose client was gone: all of that is hidden. */
export function servedEnd(
  outcome: ServedEnd['outcome'],
  relay: Relay | undefined,
  { firstByteMs, durationMs }: { firstByteMs: number | undefined; durationMs: number },
): ServedEnd {
  const end = { kind: 'served', outcome, firstByteMs } as const
  if (relay === undefined) {
    const hidden = { proofBytes: 0, durationMs }
    return { ...end, tokens: undefined, outputBytes: 0, isHeardOut: false, hidden, losses: [] }
  }
  const { tokens, outputBytes, reasoning, hostedCalls, isAllCounted, losses } = relay
  if (relay.state === 'ended' && !relay.endedEarly)
    return { ...end, tokens, outputBytes, isHeardOut: true, losses }
  const hidden = reasoning === undefined ? undefined : { ...reasoning, durationMs }
  return { ...end, tokens, outputBytes, isHeardOut: false, isAllCounted, hidden, hostedCalls, losses }
}
