import type { ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import type { HidingOptions } from '../errors/vendor-error.ts'
import type { JsonObject } from '../json/json-object.ts'
import type { IdCollector } from './reply-ids.ts'
import type { Edit } from './splice-bytes.ts'

export interface ListenerOptions extends HidingOptions {
  /** The model's id, as the client named it. */
  model: string
  /** The client's request, at least its small members. */
  request?: JsonObject
  /** Left out: no id is recorded, because the account at the vendor serves one organization only. */
  ids?: IdCollector | undefined
}

/** Counts and final events of a stream that passes through, in every dialect. */
interface StreamState {
  readonly tokens: ReplyTokens | undefined
  /**
   * Output tokens that the vendor has counted so far; a count before the first output is ignored. Left out: the vendor
   * counts only in its final event.
   */
  readonly countedOutput?: number | undefined
  /** Whether the vendor has reported how the reply ends, in a dialect whose final event comes later. */
  readonly hasFinished?: boolean
  /** The vendor's usage in its own terms; reports in several events are merged. */
  readonly vendorUsage: unknown
  /** Set once the model reasons; `proofCharacters` is the length of its proofs so far. */
  readonly reasoning: { proofCharacters: number } | undefined
  /** Number of tools that the vendor ran itself so far. */
  readonly hostedCalls?: number
  /** The vendor reported a failure, and its stream continues for a little. */
  readonly failing?: StreamError | undefined
  keepAlive(): string
  /** Final events for a stream that the vendor broke off. */
  failureEvents(failure: StreamError): string
}
export interface NamedEventListener extends StreamState {
  /** Use of an event by its name; undefined: it passes unread. */
  use(name: string): 'delta' | 'read' | undefined
  /** Whether the event that ends at `end` has nothing to read, although other events of its name are read. */
  isSilent?(text: string, end: number): boolean
  /** Beginning of the last delta, or of most deltas: a delta most often follows one of its kind. */
  readonly deltaHead: string
  /** Approximate bytes of text or of a call's input in a delta. */
  deltaBytes(text: string, start: number, end: number): number
  /** Reads an event; undefined: its content does not match its name. */
  read(name: string, event: JsonObject): FrameInfo | undefined
  /** Sees a piece of the stream up to `end` after it passed. */
  notice?(text: string, end: number): void
}
export interface ChunkListener extends StreamState {
  /** Inspects one chunk, or several alike; undefined: it cannot be read. */
  inspect(place: FramePlace, edits: Edit[]): InspectedFrame | undefined
  /** Final events for a stream that its vendor closed without them; undefined: it has failed. */
  atClose(): string | undefined
}
export type StreamListener = NamedEventListener | ChunkListener

/** One event in a piece of a stream; `text` is the bytes as latin1, so that both have the same offsets. */
export interface FramePlace {
  bytes: Buffer
  text: string
  start: number
  end: number
  hasReturns: boolean
  /** The client's name of the model. */
  model: string
  /** Secrets that the vendor's errors must not reveal. */
  hides: readonly string[]
}

export interface InspectedFrame {
  outputBytes: number
  end: StreamEnd | undefined
  /** Offset behind the last event that was read, if there were several. */
  through?: number
}

/** Content of one event that was read. */
export interface FrameInfo {
  /** Name of the member whose object names the model. */
  envelope?: string
  /** All the text of the envelope, where the dialect needs it. */
  outputText?: string
  /** Bytes of the whole reply, where the event repeats all of it. */
  outputBytes?: number
  end?: StreamEnd
}

/** The vendor's own end. */
export type StreamEnd = { kind: 'ended' } | { kind: 'failed'; failure: StreamError }

/** Counts and text of a whole reply. */
export interface WholeReplyInfo {
  /** The vendor's own count, if it counted. */
  tokens: ReplyTokens | undefined
  /** Bytes of its text and calls. */
  outputBytes: number
  /** All its text, where the dialect has a member for it. */
  outputText: string | undefined
}

export const NOT_A_REPLY: StreamError = {
  kind: 'broken',
  message: 'The provider sent something that is not a reply.',
}
