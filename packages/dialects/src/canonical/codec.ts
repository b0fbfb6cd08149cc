import type { ChatVariant } from './chat-variant.ts'
import type { LossName } from './losses.ts'
import type { ReplyEvent, ReplyTokens } from './reply-event.ts'
import type { TextRequest } from './request.ts'

/** A request for a vendor, with the data that reading the reply needs. */
export interface WrittenRequest {
  body: object
  /** Losses of this conversion. `TextRequest.losses` are lost in every conversion, and are not repeated here. */
  losses: readonly LossName[]
  toolNames: ToolNames
  /** Stop sequences that the vendor did not get: the gateway cuts the text itself. */
  unsentStops: readonly string[]
}

/** Names of tools at the vendor -> the client's own names. JSON tools with an unchanged name are left out. */
export type ToolNames = ReadonlyMap<
  string,
  { name: string; namespace: string | undefined; input: 'json' | 'text' }
>

/**
 * `budget`: up to a number of tokens. `adaptive`: by effort; such models take no sampling options. `always`: by effort,
 * and the model neither stops thinking nor can be made to call a tool.
 */
export type ThinkingMode = 'budget' | 'adaptive' | 'always'

export interface RequestTarget {
  /** The vendor's own id of the model. */
  model: string
  provider: string
  /** Bound of the catalog row. It limits the client's bound, and replaces a missing one if the dialect requires one. */
  maxOutputTokens: number | undefined
  /** Whether the model takes reasoning options. */
  reasons: boolean
  /** Tells how a model of the messages dialect is asked to think. Left out: `budget`. */
  thinking?: ThinkingMode | undefined
  /** Differences of a vendor of the chat dialect. Left out: none. */
  chat?: ChatVariant | undefined
}

/** Throws a `RequestError` for a request that the vendor does not support. */
export type WriteRequest = (request: TextRequest, target: RequestTarget) => WrittenRequest

/** Data that a reader of a vendor's reply needs. */
export interface ReplyOrigin {
  provider: string
  toolNames: ToolNames
  /** Secrets that must not reach a client in the vendor's messages: its address, and our keys for it. */
  hides?: readonly string[]
  /** Whether the gateway seals reasoning that has no proof of its vendor, because the vendor wants reasoning back. */
  sealsReasoning?: boolean
}

/**
 * Reads the frames of one vendor's stream. A malformed frame ends the reply with `reply-failed`; the reader never
 * throws.
 */
export interface StreamReader {
  /** `name` is the value of the `event:` line, if there is one; `data` is the data lines joined by newlines. */
  frame(name: string | undefined, data: string): void
  /** The vendor closed the connection. Before the vendor's own final event this is a failure. */
  close(): void
  /**
   * The vendor's count so far, in a dialect that sends counts before the end. A reply without a good end is charged by
   * it. It is not an event, because the client does not get it.
   */
  readonly tokens?: ReplyTokens | undefined
  /** The vendor's usage in its own terms; reports in several events are merged. */
  readonly vendorUsage?: unknown
  /** The vendor has reported how the reply ends, in a dialect whose final event comes later. */
  readonly hasFinished?: boolean
  /** The model has begun to reason, in a dialect that reports it before there is text. */
  readonly hasReasoning?: boolean
}

export type Emit = (event: ReplyEvent) => void
export type ReadStream = (origin: ReplyOrigin, emit: Emit) => StreamReader
/** Reads a whole reply as the events of an equal stream. */
export type ReadReply = (body: unknown, origin: ReplyOrigin) => ReplyEvent[]

/** Prefixes of ids in the clients' dialects. */
export type ReplyIdPrefix = 'msg' | 'resp' | 'chatcmpl' | 'fc' | 'ctc' | 'rs' | 'call' | 'cmp'

/** Values that every envelope of the reply has. */
export interface ReplyHead {
  /** The gateway's id of the reply, in the shape of the dialect. */
  id: string
  /** The model's id, as the client named it. */
  model: string
  createdAtSeconds: number
  /** Time of completion, for envelopes that report it. */
  nowSeconds(): number
  /** Makes an id for a part of the reply. */
  newId(prefix: ReplyIdPrefix): string
  /** The client's request, for envelopes that repeat it. */
  request: TextRequest
  /** Our own count of the input, for envelopes that report it before the vendor has counted. */
  countInput?(): number
}

/** Writes the stream of one client. Returns text of whole SSE events, or '' for an event without bytes. */
export interface StreamWriter {
  write(event: ReplyEvent): string
  /** Sent during a silence, so that the client does not take the stream for broken. */
  keepAlive(): string
  /** Content of the reply that this dialect could not carry. */
  readonly losses: ReadonlySet<LossName>
  /** Output so far, in a dialect whose later requests may refer to it by id. */
  readonly items?: readonly object[]
  /** The writer buffers text for its final events and has reached its limit. Left out: it buffers nothing. */
  readonly isFull?: boolean
}

export type WriteStream = (head: ReplyHead) => StreamWriter

/** Writes a whole reply from its events, which have no `reply-failed`: a failed reply is answered as an error. */
export type WriteReply = (
  events: readonly ReplyEvent[],
  head: ReplyHead,
) => Pick<StreamWriter, 'losses' | 'items'> & { body: object }
