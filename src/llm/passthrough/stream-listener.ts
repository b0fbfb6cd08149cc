import type { JsonObject } from '../../domain/json-object.ts'
import type { ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import type { HidingOptions } from '../vendor-error.ts'
import type { IdListening } from './reply-ids.ts'
import type { Edit } from './splice-bytes.ts'

export interface ListenerOptions extends HidingOptions {
  /** The id the client asked for. */
  model: string
  /** The client's request, at least its small members. */
  asked?: JsonObject
  /** Left out: ids of this reply mean nothing to other organizations. */
  ids?: IdListening | undefined
}

/** What one dialect knows about a stream that passes by. */
export interface StreamListener {
  /** What to do with an event of this name; undefined: let it pass unread. */
  use(name: string): 'delta' | 'read' | undefined
  /** Whether an event that ends here and would be read is one of the many in which nothing is listened to. */
  isSilent?(text: string, end: number): boolean
  /** What the last delta began with, or most deltas do: a delta most often follows one of its kind. */
  readonly deltaHead: string
  /** About how many bytes of text or of a call's input a delta between two places carries. */
  deltaBytes(text: string, start: number, end: number): number
  /** undefined: it is not what its name says. */
  hear(name: string, event: JsonObject): FrameInfo | undefined
  /** A piece of the stream passed, up to `end`. */
  notice(text: string, end: number): void
  readonly tokens: ReplyTokens | undefined
  /** The output that the vendor has counted; what it says of it at the very beginning is no count. */
  readonly countedOutput: number | undefined
  /** The vendor has said how the reply ends, in a dialect whose last event comes after that. */
  readonly hasFinished: boolean
  /** The vendor's usage object as it came, as far as it has come. */
  readonly vendorUsage: unknown
  /** It has shown that it reasons, and how long the proofs of that were so far. */
  readonly reasoning: { proofBytes: number } | undefined
  /** How often the vendor ran a tool of its own so far. */
  readonly hostedCalls: number
  /** The vendor said that it failed, and its stream goes on for a little. */
  readonly failing: StreamError | undefined
  /** Reads an event in place of all the above, in a dialect whose events have no names. undefined: it cannot be read. */
  inspect?(place: FramePlace, edits: Edit[]): HeardFrame | undefined
  /** How a stream ends well that its vendor only closed; undefined: it did not end well. */
  atClose?(): string | undefined
  keepAlive(): string
  /** How a stream ends that its vendor did not end. */
  lastWords(failure: StreamError): string
}

/** One event in a piece of a stream; `text` is the bytes as latin1, so that both have the same places. */
export interface FramePlace {
  bytes: Buffer
  text: string
  start: number
  end: number
  hasReturns: boolean
  /** What the client calls the model. */
  model: string
  /** What the vendor's words about an error must not tell. */
  hides: readonly string[]
}

export interface HeardFrame {
  outputBytes: number
  end: StreamEnd | undefined
  /** The place behind the last event that was read, where more than one was. */
  through?: number
}

/** What came with one event that was read. */
export interface FrameInfo {
  /** The member whose object names the model. */
  envelope?: string
  /** All the text of the envelope, where the dialect wants it. */
  outputText?: string
  /** Of all the reply, where the event carries all of it. */
  outputBytes?: number
  end?: StreamEnd
}

/** The vendor's own end. */
export type StreamEnd = { kind: 'ended' } | { kind: 'failed'; failure: StreamError }

/** What the meter and the client have to know of a whole reply. */
export interface WholeReplyInfo {
  /** The vendor's own count, if it counted. */
  tokens: ReplyTokens | undefined
  /** Bytes of its text and calls. */
  outputBytes: number
  /** All its text, where the dialect has such a member. */
  outputText: string | undefined
}

export const NOT_A_REPLY: StreamError = {
  kind: 'broken',
  message: 'The provider sent something that is no reply.',
}
