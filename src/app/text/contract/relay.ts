import type { LossName } from '@sluice/dialects/canonical/losses'
import type { ReplyTokens, StreamError } from '@sluice/dialects/canonical/reply-event'
import { countValues } from '@sluice/dialects/json/json-bounds'
import { LIGHT_VALUES_MAX } from '@sluice/dialects/json/parse-json'
import type { ReadScanned } from '@sluice/dialects/passthrough/relay-whole'
import type { ApiError } from '../../../domain/api-error.ts'
import type { PricedText } from '../../../domain/billing/price-text.ts'

/**
 * Maximum size of a reply or event that the main thread reads, which takes 10 to 30 ms. A larger text, or a text with
 * more than `LIGHT_VALUES_MAX` values, is read on another thread or passed on in pieces.
 */
export const LIGHT_REPLY_BYTES_MAX = 512 * 1024

/** Values of a smaller text need not be counted, because each takes at least two bytes, with its comma or bracket. */
const COUNTED_BYTES_MIN = 2 * LIGHT_VALUES_MAX
const LIGHT_BOUNDS = { depthMax: Number.POSITIVE_INFINITY, valuesMax: LIGHT_VALUES_MAX, nul: 'pass' } as const

export function isLightReply(bytes: Buffer): boolean {
  if (bytes.length <= COUNTED_BYTES_MIN) return true
  return bytes.length <= LIGHT_REPLY_BYTES_MAX && countValues(bytes, LIGHT_BOUNDS) <= LIGHT_VALUES_MAX
}

export function isLightText(data: string): boolean {
  if (data.length <= COUNTED_BYTES_MIN) return true
  return data.length <= LIGHT_REPLY_BYTES_MAX && isLightReply(Buffer.from(data))
}

/** From this size on, a whole reply that needs no conversion is passed on while it arrives. */
export const RELAYED_BYTES_MIN = 1024 * 1024

/** An event usually has a few hundred bytes; a final event can contain the whole reply. */
export const FRAME_BYTES_MAX = 16 * 1024 * 1024

/**
 * A vendor's stream on its way to a client.
 *
 *   waiting (no bytes for the client yet) -> flowing -> ended | failed
 *
 * A failure in the state `waiting` can still become an HTTP status. A reply that the gateway ends early is `ended` too.
 */
export interface Relay {
  readonly state: 'waiting' | 'flowing' | 'ended' | 'failed'
  readonly failure: StreamError | undefined
  readonly tokens: ReplyTokens | undefined
  /** The vendor's usage object so far, unchanged. */
  readonly vendorUsage?: unknown
  /** Bytes of text and calls that passed, for a vendor that reports no usage. */
  readonly outputBytes: number
  /** Whether no output passed since the vendor last reported its usage. */
  readonly isAllCounted?: boolean
  /** Whether the vendor has reported the finish reason and all usage, so that only its final event is missing. */
  readonly isCounted?: boolean
  /** Set when the model reasoned and the vendor may not have counted it, with the length of its proofs so far. */
  readonly reasoning?: { proofCharacters: number } | undefined
  /** Whether the model may reason without showing it, and the vendor's usage does not cover all output yet. */
  readonly mayReason?: boolean
  /** Number of tools that the vendor ran so far. Only the final usage counts the input tokens of their results. */
  readonly hostedCalls?: number
  /** Whether the client gets no more output and only the vendor's usage is awaited. `endWait` ends the wait. */
  readonly awaitsCount?: boolean
  readonly losses: Iterable<LossName>
  /** Whether the gateway ended the reply. The vendor continues unless it is stopped. */
  readonly endedEarly: boolean
  /** Returns bytes for the client: whole events, unless `isWhole`. Callers drop them if a relay fails before any byte. */
  push(chunk: Buffer): Uint8Array | string
  close(): Uint8Array | string
  /** Ends the relay with a failure of the gateway; returns the final events for the client. */
  fail(failure: StreamError): string
  endWait?(): string
  keepAlive(): string
  /** Resolves when another thread has read a large event. Nothing passes until `readOn` is called. */
  readonly reading?: Promise<void> | undefined
  readOn?(): Uint8Array | string
  /** Whether the reply is one JSON value, in which a failure cuts the connection. Left out: it is a stream of events. */
  readonly isWhole?: boolean
}

export interface ReplyCharge {
  tokens: ReplyTokens
  priced: PricedText
  priceModel: string
  /** Whether the vendor counted more than the request could use. */
  isClamped?: boolean
}

export type WholeReply = GoodReply | { kind: 'failed'; failure: StreamError }

export interface GoodReply {
  kind: 'reply'
  body: Uint8Array | string
  tokens: ReplyTokens | undefined
  vendorUsage?: unknown
  outputBytes: number
  losses: Iterable<LossName>
  charge?: ReplyCharge | undefined
  /** Error for the client when the vendor did its work but the result cannot be used. The reply is charged. */
  unusable?: ApiError | undefined
}

export type VendorAnswer = { kind: 'stream'; relay: Relay } | WholeVendorAnswer

export interface WholeVendorAnswer {
  kind: 'whole'
  /** Rejects when a large reply could not be read on its thread. */
  read(body: Buffer): WholeReply | Promise<WholeReply>
  readScanned: ReadScanned
  /** Passes on a reply of `RELAYED_BYTES_MIN` or more. Left out: the reply has to be read whole. */
  openRelay?: (() => Relay) | undefined
}
