import type { ApiError } from '../../domain/api-error.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import type { UrlCheck } from '../../domain/parse-https-url.ts'
import type { Seals } from '../passthrough/own-seals.ts'
import type { IdListening, IdsAsked } from '../passthrough/reply-ids.ts'
import type { ListenerOptions, StreamListener, WholeReplyInfo } from '../passthrough/stream-listener.ts'
import type { OwnCompaction } from '../responses/compaction/own-compactions.ts'
import type { Keeping } from '../responses/kept/keeping.ts'
import type { HidingOptions, VendorErrorFields } from '../vendor-error.ts'
import type { ReadReply, ReadStream, ReplyIdPrefix, WriteReply, WriteRequest, WriteStream } from './codec.ts'
import type { ReferencesFound } from './references.ts'
import type { StreamError } from './reply-event.ts'
import type { TextRequest } from './request.ts'

/** What a text request asks for: a reply, the number of its tokens, or its conversation in short. */
export type TextOperation = 'create' | 'count-tokens' | 'compact'

/** A dialect as clients speak it: their requests are read, their replies written. */
export interface ClientDialect {
  /** Throws an `ApiError` for a body that is no such request. */
  check(body: unknown, operation: TextOperation, isAllowedUrl: UrlCheck): void
  readRequest(body: Readonly<JsonObject>): TextRequest
  writeStream: WriteStream
  writeReply: WriteReply
  /** The envelope of an error. */
  writeError(refusal: ApiError, requestId: string): object
  /** What `writeError` writes, as a JSON Schema for the reference. */
  errorSchema: { name: string; schema: EnvelopeSchema }
  /** What the ids of its replies begin with. */
  idPrefix: ReplyIdPrefix
  /** The header in which its clients look for the id of their request, beside our own. */
  requestIdHeader?: string
  /** The members of a request that bound its reply. Of several the largest counts. */
  outputBounds: readonly string[]
  /** How many replies a request asks for, each as long as the bound. Left out: one. */
  choicesIn?(body: Readonly<JsonObject>): number
  /** More members that the gateway acts upon, so that they must be known of every heavy body. */
  decisive: readonly string[]
  /** What a request names instead of saying it. */
  findReferences(body: JsonObject): ReferencesFound
  /** Whether a request names what only its vendor keeps. It may be gone there. */
  referencesVendorState(body: JsonObject): boolean
  /** What programs are told beside the message when `param` names something that does not exist. */
  detailsOfUnknown?(param: string): JsonObject | undefined
  /** Throws an `ApiError` for a request of which only its vendor has the rest, so that no other count is right. */
  checkCountable?(body: JsonObject): void
  /** The output that later requests may point to by its ids. Left out: they repeat all of it. */
  items?: StoredItems
  /** How the gateway compacts conversations for vendors that do not. Left out: the dialect has no request for it. */
  compaction?: Compaction
  /** What a request asks the gateway to keep; left out, or undefined: nothing. */
  keepingOf?(body: Readonly<JsonObject>, keepsByDefault: boolean): Keeping | undefined
  /** How often one of its hosted tools may be used, as the request bounds it. */
  hostedCallBound(tool: JsonObject, body: Readonly<JsonObject>): unknown
  /** Whether the vendor may let another of its models take part, which costs its own price. */
  namesOtherModels(body: Readonly<JsonObject>): boolean
  passthrough: Passthrough
}

export interface EnvelopeSchema {
  type: 'object'
  properties: Record<string, object>
  required: string[]
}

/** The items of earlier replies in the requests of a dialect. */
export interface StoredItems {
  /** The ids of earlier output that a request points to, in their order. */
  idsIn(body: JsonObject): string[]
  /** The same request with what is known put in place of each id. */
  resolve(body: JsonObject, items: ReadonlyMap<string, object>): JsonObject
  /** Whether the reply to this request may be pointed to later. */
  areKept(body: JsonObject): boolean
  /** The same request; items whose content came along go without an id that is among these. */
  withoutIds(body: JsonObject, ids: ReadonlySet<string>): JsonObject
  /** A request of nothing but these items. */
  asBody(items: readonly JsonObject[]): JsonObject
}

/** A conversation in short, as the gateway makes it and reads it. */
export interface Compaction {
  /** The request whose reply is a summary of this one's conversation. */
  askForSummary(body: JsonObject): JsonObject
  /** The messages of a request that stay as they are. */
  retained(body: JsonObject): JsonObject[]
  /** The gateway's own compactions in a request. */
  compactionsIn(body: JsonObject): OwnCompaction[]
  /** What a model is given in place of one. */
  opened(summary: string): JsonObject
}

/** How bytes pass between a client and a vendor that both speak the dialect. */
export interface Passthrough {
  createListener(options: ListenerOptions): StreamListener
  /** What the meter has to know of a whole reply, or why it is none. */
  readReply(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError
  /** The same for a conversation in short. Left out: the dialect has no request for it. */
  readCompaction?(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError
  /** Which ids of its reply a request may name later. What it does not ask for is not looked for. */
  idsAsked(body: JsonObject): IdsAsked
  /** The ids that a whole reply gives. */
  idsInReply(body: JsonObject, listening: IdListening): string[]
  /** The part of a request that may hold seals. */
  conversationIn(body: JsonObject): unknown
  /** The same request with the provider's own proofs opened, and without those of others. */
  unseal(body: JsonObject, seals: Seals): JsonObject
  /** The same request, asking for the usage of its stream, where a vendor tells it only then. `asked`: its small members. */
  withUsageAsked?(bytes: Buffer, asked: JsonObject): Buffer
  /** Whether a request asks its model to think; undefined: it does not say. Left out where the stream shows it. */
  asksToThink?(asked: JsonObject): boolean | undefined
  /** A whole reply can be passed on while it comes: nothing that is put into it depends on the rest. */
  passesOnWhole: boolean
  /** What a vendor's error tells programs, fit for a client as the message is. */
  readErrorFields(error: JsonObject, hides: readonly string[]): VendorErrorFields
}

/** A dialect as vendors speak it: their requests are written, their replies read. */
export interface VendorDialect {
  writeRequest: WriteRequest
  readStream: ReadStream
  readReply: ReadReply
  /** Its stream has no event for thoughts that are not shown. */
  hidesThoughts: boolean
}
