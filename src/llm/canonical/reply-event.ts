import type { Surcharges } from '../../domain/billing/surcharges.ts'
import type { TextTokens } from '../../domain/billing/text-prices.ts'
import type { Dialect } from '../../domain/catalog/dialects.ts'
import type { LossName } from './losses.ts'

/**
 * What a model's reply is made of, whatever wire it came over. Readers make these events, the guard holds their grammar,
 * writers turn them into a client's wire:
 *
 *   reply-start (block-start block-delta* block-seal? block-end)* (reply-end | reply-failed)
 *
 * One block is open at a time and blocks keep their order, so no event needs an index. A reply may fail at any moment,
 * also before it started. Only a vendor's own end makes a `reply-end`.
 */
export type ReplyEvent =
  | { kind: 'reply-start' /** What is known of the input so far. */; tokens: StartTokens | undefined }
  | { kind: 'block-start'; block: BlockHead }
  /** More of the open block: its text, or of a call its input as it is spelled on the wire. Never empty. */
  | { kind: 'block-delta'; text: string }
  | { kind: 'block-seal'; seal: Seal }
  | { kind: 'block-end' }
  /** `losses`: what the vendor said in between that has no place in these events. */
  | { kind: 'reply-end'; reason: EndReason; tokens: ReplyTokens | undefined; losses?: readonly LossName[] }
  | { kind: 'reply-failed'; failure: StreamError }

/** What a block is, said before anything of its content. */
export type BlockHead =
  | { kind: 'text' }
  /** Thinking that may be shown, or a summary of it. Its seal proves it to its origin. */
  | { kind: 'reasoning' }
  | { kind: 'refusal' }
  | ToolCallHead
  /** Something only one dialect knows, kept as it came. It has no deltas. */
  | { kind: 'opaque'; origin: Dialect; raw: object }

export interface ToolCallHead {
  kind: 'tool-call'
  /** The id the client answers with. */
  callId: string
  /** As the client named the tool. */
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

/** The disjoint counts that are paid for, how much of the output was reasoning, and what made the reply dearer. */
export interface ReplyTokens extends TextTokens {
  reasoning: number
  surcharges?: Surcharges
}

/** What is known when a reply starts: a client may hang up right after it. */
export type StartTokens = Omit<ReplyTokens, 'reasoning'>

/** The good end of a reply, as a reader tells it. */
export function replyEnd(
  reason: EndReason,
  tokens: ReplyTokens | undefined,
  losses: ReadonlySet<LossName>,
): ReplyEvent {
  if (losses.size === 0) return { kind: 'reply-end', reason, tokens }
  return { kind: 'reply-end', reason, tokens, losses: [...losses] }
}

/** Why a reply failed, in words a client may read. */
export interface StreamError {
  /**
   * `broken`: the stream stopped or was no valid stream. `vendor`: the vendor said so. `busy`: it has no room now.
   * `refused`: it found fault with the request. `too-long`: the same, and the fault is its length. `too-late`: it fell silent. `draining`: we are closing.
   * `too-large`: the vendor did its work, and the reply does not fit. The reply is charged.
   * `organization-disabled`, `user-disabled`: an operator stopped its caller.
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
