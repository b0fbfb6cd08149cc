import type { Dialect } from '../dialect-facts.ts'
import type { LossName } from './losses.ts'
import type { Surcharges, TextTokens } from './usage.ts'

/**
 * Events of a model's reply, independent of dialects. Readers make these events, the guard checks their grammar,
 * writers turn them into a client's dialect:
 *
 *   reply-start (block-start block-delta* block-seal? block-end)* (reply-end | reply-failed)
 *
 * One block is open at a time and blocks keep their order, so no event needs an index. A reply may fail at any moment,
 * also before it started. Only a vendor's own end makes a `reply-end`.
 */
export type ReplyEvent =
  | { kind: 'reply-start'; tokens: StartTokens | undefined }
  | { kind: 'block-start'; block: BlockHead }
  /** Text of the open block, or input of a call as it is spelled on the wire. Never empty. */
  | { kind: 'block-delta'; text: string }
  | { kind: 'block-seal'; seal: Seal }
  | { kind: 'block-end' }
  /** `losses`: content between the blocks that has no place in these events. */
  | { kind: 'reply-end'; reason: EndReason; tokens: ReplyTokens | undefined; losses?: readonly LossName[] }
  | { kind: 'reply-failed'; failure: StreamError }

/** Kind of a block, sent before its content. */
export type BlockHead =
  | { kind: 'text' }
  /** Thinking that may be shown, or a summary of it. Its seal proves it to its origin. */
  | { kind: 'reasoning' }
  | { kind: 'refusal' }
  | ToolCallHead
  /** A block that only one dialect knows, unchanged. It has no deltas. */
  | { kind: 'opaque'; origin: Dialect; raw: object }

export interface ToolCallHead {
  kind: 'tool-call'
  /** The id the client answers with. */
  callId: string
  /** The client's name of the tool. */
  name: string
  namespace: string | undefined
  /** `json`: the deltas spell a JSON object. `text`: free text for a custom tool. */
  input: 'json' | 'text'
}

export type { Dialect }

/** A proof of reasoning that only its origin can check. */
export interface Seal {
  provider: string
  proof: string
}

export type EndReason =
  | { kind: 'done' }
  | { kind: 'stop-sequence'; sequence: string }
  | { kind: 'tool-calls' }
  | { kind: 'length' }
  | { kind: 'content-filter' }

/** Disjoint counts that are paid for, the share of reasoning in the output, and surcharges. */
export interface ReplyTokens extends TextTokens {
  reasoning: number
  surcharges?: Surcharges
}

/** Counts at the start of a reply: a client may hang up right after it. */
export type StartTokens = Omit<ReplyTokens, 'reasoning'>

export function replyEnd(
  reason: EndReason,
  tokens: ReplyTokens | undefined,
  losses: ReadonlySet<LossName>,
): ReplyEvent {
  if (losses.size === 0) return { kind: 'reply-end', reason, tokens }
  return { kind: 'reply-end', reason, tokens, losses: [...losses] }
}

/** Failure of a reply, with a message that a client may read. */
export interface StreamError {
  /**
   * `broken`: the stream stopped or was not a valid stream. `vendor`: the vendor reported a failure. `busy`: it has no
   * capacity now. `refused`: it rejects the request. `too-long`: it rejects the request for its length. `too-late`: it
   * fell silent. `draining`: the gateway is closing. `too-large`: the vendor did its work, and the reply does not fit;
   * it is charged. `organization-disabled`, `user-disabled`: an operator disabled the caller.
   */
  kind:
    | 'broken'
    | 'vendor'
    | 'busy'
    | 'refused'
    | 'too-long'
    | 'too-large'
    | 'too-late'
    | 'draining'
    | DisabledKind
  message: string
}

export type DisabledKind = 'organization-disabled' | 'user-disabled'
