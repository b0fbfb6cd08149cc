import type { ChatVariant } from '../../domain/catalog/chat-variant.ts'
import type { LossName } from './losses.ts'
import type { ReplyEvent, ReplyTokens } from './reply-event.ts'
import type { TextRequest } from './request.ts'

/** What a vendor is sent, and what has to be known to understand its reply. */
export interface WrittenRequest {
  body: object
  /** Of the request itself are not among them: those are lost in every conversion. */
  losses: readonly LossName[]
  toolNames: ToolNames
  /** Sequences the vendor was not given: the gateway cuts the text itself. */
  unsentStops: readonly string[]
}

/** Names a vendor knows tools by -> the client's own; tools that kept their name are not in it. */
export type ToolNames = ReadonlyMap<
  string,
  { name: string; namespace: string | undefined; input: 'json' | 'text' }
>

export interface RequestTarget {
  /** The vendor's own id of the model. */
  model: string
  provider: string
  /** Of the catalog; needed where a wire asks for a bound and the client gave none. */
  maxOutputTokens: number | undefined
  /** Whether the model takes a word about its reasoning. */
  reasons: boolean
  /** What a vendor of the chat dialect wants otherwise. Left out: nothing. */
  chat?: ChatVariant | undefined
}

/** Throws an `ApiError` for what the upstream cannot be asked at all. */
export type WriteRequest = (request: TextRequest, target: RequestTarget) => WrittenRequest

/** What a reader of a vendor's reply has to know. */
export interface ReplyOrigin {
  provider: string
  toolNames: ToolNames
  /** What the vendor's own words must not tell a client: its address, and our keys for it. */
  hides?: readonly string[]
  /** Whether reasoning that the vendor does not prove is given a proof, because it is wanted back. */
  sealsReasoning?: boolean
}

/** Takes the frames of one vendor's stream. Wrong wire ends as `reply-failed`; it never throws. */
export interface StreamReader {
  /** `name` is that of the `event:` line, if there was one; `data` its data lines joined by newlines. */
  frame(name: string | undefined, data: string): void
  /** The upstream closed. Without its own end before, that is a failure. */
  close(): void
  /**
   * The vendor's count as far as it has come, on a wire that tells it before the end: a reply that never ends well is
   * paid for by it. No event, because nothing of it is for the client.
   */
  readonly tokens?: ReplyTokens | undefined
  /** The vendor's usage object as it came, as far as it has come. */
  readonly vendorUsage?: unknown
  /** The vendor has said how the reply ends, on a wire whose last event comes after that. */
  readonly hasFinished?: boolean
  /** It has shown that it reasons, on a wire that tells it before there is anything to show. */
  readonly reasons?: boolean
}

export type Emit = (event: ReplyEvent) => void
export type ReadStream = (origin: ReplyOrigin, emit: Emit) => StreamReader
/** A whole reply, as the events it would have been as a stream. */
export type ReadReply = (body: unknown, origin: ReplyOrigin) => ReplyEvent[]

/** What the ids of clients' dialects begin with. */
export type ReplyIdPrefix = 'msg' | 'resp' | 'chatcmpl' | 'fc' | 'ctc' | 'rs' | 'call' | 'cmp'

/** What the client is told about its reply in every envelope. */
export interface ReplyHead {
  /** Ours: of the shape its dialect has. */
  id: string
  /** The id the client asked for. */
  model: string
  createdAtSeconds: number
  /** For envelopes that say when they were completed. */
  nowSeconds(): number
  /** A new id for a part of the reply. */
  newId(prefix: ReplyIdPrefix): string
  /** The client's request, for envelopes that repeat it. */
  request: TextRequest
  /** Our own count of it, for envelopes that say how much went in before the vendor has counted. */
  countInput?(): number
}

/** Writes one client's stream. What it returns is text of whole SSE events, or '' when an event has no bytes. */
export interface StreamWriter {
  write(event: ReplyEvent): string
  /** Sent during a silence, so that the client does not take the stream for broken. */
  keepAlive(): string
  /** What this dialect could not carry of the reply. */
  readonly losses: ReadonlySet<LossName>
  /** What was put out so far, in a dialect whose later requests may point to it by its ids. */
  readonly items?: readonly object[]
  /** It keeps what it writes for its last events, and no more fits into them. Left out: it keeps nothing. */
  readonly isFull?: boolean
}

export type WriteStream = (head: ReplyHead) => StreamWriter

/** The fold of a whole reply's events. `reply-failed` is not among them: a failed reply has another answer. */
export type WriteReply = (
  events: readonly ReplyEvent[],
  head: ReplyHead,
) => Pick<StreamWriter, 'losses' | 'items'> & { body: object }
