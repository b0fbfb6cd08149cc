import type { ApiError } from '../../../domain/api-error.ts'
import type { PricedText } from '../../../domain/billing/price-text.ts'
import { countValues } from '../../../domain/json/json-bounds.ts'
import { LIGHT_VALUES_MAX } from '../../../domain/json/parse-json.ts'
import type { LossName } from '../../../llm/canonical/losses.ts'
import type { ReplyTokens, StreamError } from '../../../llm/canonical/reply-event.ts'
import type { ReadScanned } from '../../../llm/passthrough/relay-whole.ts'

/**
 * So much of a vendor's reply, or of one event, is read on the main thread: it takes 10 to 30 ms. What is larger or holds
 * more values is read on another thread, or passed on in pieces.
 */
export const LIGHT_REPLY_BYTES_MAX = 512 * 1024

/** A value takes two bytes at least. */
const COUNTED_BYTES_MIN = 2 * LIGHT_VALUES_MAX
const LIGHT_BOUNDS = { depthMax: Number.POSITIVE_INFINITY, valuesMax: LIGHT_VALUES_MAX, nul: 'pass' } as const

export function isLightReply(bytes: Buffer): boolean {
  if (bytes.length <= COUNTED_BYTES_MIN) return true
  return bytes.length <= LIGHT_REPLY_BYTES_MAX && countValues(bytes, LIGHT_BOUNDS) <= LIGHT_VALUES_MAX
}

/** Whether an event's data is light. */
export function isLightText(data: string): boolean {
  if (data.length <= COUNTED_BYTES_MIN) return true
  return data.length <= LIGHT_REPLY_BYTES_MAX && isLightReply(Buffer.from(data))
}

/** A whole reply that needs no conversion is passed on while it comes once it is this large. */
export const RELAYED_BYTES_MIN = 1024 * 1024

/** An event of a stream is a few hundred bytes; a final one can hold the whole reply. */
export const FRAME_BYTES_MAX = 16 * 1024 * 1024

/**
 * A vendor's stream on its way to a client.
 *
 *   waiting (nothing for the client yet) -> flowing -> ended | failed
 *
 * While it is waiting a failure can still become a status. Only the vendor's own end makes it `ended`.
 */
export interface Relay {
  readonly state: 'waiting' | 'flowing' | 'ended' | 'failed'
  /** Why it failed. */
  readonly failure: StreamError | undefined
  /** The vendor's own count as far as it has come. */
  readonly tokens: ReplyTokens | undefined
  /** The vendor's usage object as it came, as far as it has come. */
  readonly vendorUsage?: unknown
  /** What passed, for a vendor that does not count: bytes of text and of calls. */
  readonly outputBytes: number
  /** Nothing passed since the vendor last counted its output. */
  readonly isAllCounted?: boolean
  /** The vendor has said how the reply ends and has counted all of it: only its last event is missing. */
  readonly isCounted?: boolean
  /** It reasons as far as is known, and how long the proofs of that were so far: most of it never passes. */
  readonly reasoning?: { proofBytes: number } | undefined
  /** It may reason without showing it, and was not counted yet. */
  readonly mayReason?: boolean
  /** How often the vendor ran a tool of its own: what that put in shows only in the last count. */
  readonly hostedCalls?: number
  /** The client has all that it gets, and only the vendor's count is waited for: `endWait` ends the wait. */
  readonly awaitsCount?: boolean
  readonly losses: Iterable<LossName>
  /** It ended by our own doing: the vendor goes on unless it is stopped. */
  readonly endedEarly: boolean
  /** Bytes for the client, always whole events. Those of a failure go nowhere when it can still be a status. */
  push(chunk: Buffer): Uint8Array | string
  /** The vendor closed its stream. */
  close(): Uint8Array | string
  /** Ends it as a failure of ours; the last words for the client. */
  fail(failure: StreamError): string
  /** Ends one that waits for the count, without the vendor's count. */
  endWait?(): string
  keepAlive(): string
  /** Resolves when a large event was read on another thread; until `readOn` is called nothing passes. */
  readonly reading?: Promise<void> | undefined
  readOn?(): Uint8Array | string
  /** It is one JSON value: its failure cannot be told in words, so the connection is cut. Left out: it is a stream of events. */
  readonly isWhole?: boolean
}

/** What a reply used, and at which price. */
export interface Charge {
  tokens: ReplyTokens
  priced: PricedText
  /** The model whose prices applied. */
  priceModel: string
  /** The vendor counted more than the request could use. */
  isClamped?: boolean
}

/** A whole reply for the client, or why there is none. */
export type WholeReply = GoodReply | { kind: 'failed'; failure: StreamError }

export interface GoodReply {
  kind: 'reply'
  body: Uint8Array | string
  tokens: ReplyTokens | undefined
  /** The vendor's usage object as it came. */
  vendorUsage?: unknown
  outputBytes: number
  losses: Iterable<LossName>
  /** Where it was computed already, for the client: once is enough. */
  charge?: Charge | undefined
  /** The vendor did its work, and the client cannot use the result: it gets this error, and pays for the reply. */
  unusable?: ApiError | undefined
}

/** How a reply is read: as a stream, or else whole. */
export type Answer = { kind: 'stream'; relay: Relay } | WholeAnswer

export interface WholeAnswer {
  kind: 'whole'
  /** Rejects when a large reply could not be read on its thread. */
  read(body: Buffer): WholeReply | Promise<WholeReply>
  /** The usage of a reply that is too large to be kept. */
  readScanned: ReadScanned
  /** Passes on a reply of `RELAYED_BYTES_MIN` or more. Left out: it has to be read as a whole. */
  openRelay?: (() => Relay) | undefined
}
