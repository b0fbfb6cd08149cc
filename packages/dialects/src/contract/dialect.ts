import type {
  ReadReply,
  ReadStream,
  ReplyIdPrefix,
  WriteReply,
  WriteRequest,
  WriteStream,
} from '../canonical/codec.ts'
import type { FindUrlProblem } from '../canonical/problem.ts'
import type { ReferencesFound } from '../canonical/references.ts'
import type { StreamError } from '../canonical/reply-event.ts'
import type { TextRequest } from '../canonical/request.ts'
import type { HidingOptions, VendorErrorFields } from '../errors/vendor-error.ts'
import type { JsonObject } from '../json/json-object.ts'
import type { Seals } from '../passthrough/own-seals.ts'
import type { IdCollector, IdsToCollect } from '../passthrough/reply-ids.ts'
import type { ListenerOptions, StreamListener, WholeReplyInfo } from '../passthrough/stream-listener.ts'

/** Purpose of a text request: a reply, a token count, or a compacted conversation. */
export type DialectOperation = 'create' | 'count-tokens' | 'compact'

/** An error in the terms of a client. */
export interface PresentableError {
  status: number
  type: string
  code: string
  param: string | null
  /** Message and position, for envelopes whose messages the contract does not fix. */
  messageWithPlace: string
  /** A vendor's own code of the error, for clients that use its dialect. */
  vendorCode: string | undefined
  /** Details for programs; only the messages dialect carries them. */
  details: object | undefined
}

/** A dialect of clients: the gateway reads requests and writes replies. */
export interface ClientDialect {
  /** Throws a `RequestError` for a body that is not a request of this operation. */
  check(body: unknown, operation: DialectOperation, problemOfUrl: FindUrlProblem): void
  readRequest(body: Readonly<JsonObject>): TextRequest
  writeStream: WriteStream
  writeReply: WriteReply
  writeError(error: PresentableError, requestId: string): object
  /** JSON Schema of the body that `writeError` writes, for the reference. */
  errorSchema: { name: string; schema: EnvelopeSchema }
  /** Prefix of the ids of its replies. */
  idPrefix: ReplyIdPrefix
  /** Header in which clients of the dialect look for the request id, beside our own. */
  requestIdHeader?: string
  /** Members of a request that bound its reply; the largest one counts. */
  outputBounds: readonly string[]
  /** Number of replies that a request asks for, each as long as the bound. Left out: one. */
  choicesIn?(body: Readonly<JsonObject>): number
  /** Further members that the gateway acts upon, so the outline of every heavy body has them. */
  decisive: readonly string[]
  /** Finds the ids in a request that its vendor would look up. */
  findReferences(body: JsonObject): ReferencesFound
  /** Whether a request names something that only its vendor keeps, and that may be gone there. */
  referencesVendorState(body: JsonObject): boolean
  /** Details for programs in an error about a `param` that names something unknown. */
  detailsOfUnknown?(param: string): JsonObject | undefined
  /** Throws a `RequestError` if the vendor keeps a part of the conversation, so that only the vendor can count it. */
  checkCountable?(body: JsonObject): void
  /** Output that later requests may refer to by id. Left out: later requests repeat all output. */
  items?: StoredItems
  /** Compaction by the gateway, for vendors that have none. Left out: the dialect has no request for it. */
  compaction?: Compaction
  /** Returns undefined for a request that asks for no storage. Left out: no request can ask for storage. */
  keepingOf?(body: Readonly<JsonObject>, keepsByDefault: boolean): Keeping | undefined
  /** Maximum number of calls of a hosted tool, as the request bounds it. */
  hostedCallBound(tool: JsonObject, body: Readonly<JsonObject>): unknown
  /** Whether the vendor may use another of its models, which has its own price. */
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
  /** The ids of earlier output that a request refers to, in order. */
  idsIn(body: JsonObject): string[]
  /** Replaces each known id in a request by its item. */
  resolve(body: JsonObject, items: ReadonlyMap<string, object>): JsonObject
  /** Whether later requests may refer to items of the reply to this request. */
  areKept(body: JsonObject): boolean
  /** Removes these ids from the items whose content is in the request. */
  withoutIds(body: JsonObject, ids: ReadonlySet<string>): JsonObject
  /** Returns a request with only these items. */
  asBody(items: readonly JsonObject[]): JsonObject
}

/** Compaction of a conversation by the gateway. */
export interface Compaction {
  /** Makes the request whose reply is a summary of the conversation. */
  askForSummary(body: JsonObject): JsonObject
  /** The messages of a request that stay unchanged. */
  retained(body: JsonObject): JsonObject[]
  /** The gateway's own compactions in a request. */
  compactionsIn(body: JsonObject): OwnCompaction[]
  /** The message that replaces a compaction for a model. */
  opened(summary: string): JsonObject
}

/** A compaction that the gateway made, in a request. */
export interface OwnCompaction {
  /** Position of the compaction: `input.0.encrypted_content`. */
  param: string
  encrypted: string
}

export interface Keeping {
  /** The reply can be read again, and continued from. */
  isStored: boolean
  /** The reply continues when its client leaves. */
  isBackground: boolean
  /** The reply that this request continues. */
  previousId: string | undefined
}

/** Rules for passing bytes between a client and a vendor of the same dialect. */
export interface Passthrough {
  createListener(options: ListenerOptions): StreamListener
  /** Reads the counts of a whole reply; an error means that it is not a reply. */
  readReply(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError
  /** Reads the counts of a compacted conversation. Left out: the dialect has no request for it. */
  readCompaction?(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError
  /** Kinds of ids in its reply that a later request may name. Other ids are not collected. */
  idsToCollect(body: JsonObject): IdsToCollect
  idsInReply(body: JsonObject, listening: IdCollector): string[]
  /** The part of a request that may hold seals. */
  conversationIn(body: JsonObject): unknown
  /** Opens the provider's own proofs in a request and removes those of other providers. */
  unseal(body: JsonObject, seals: Seals): JsonObject
  /** Adds the option for the usage of a stream, where a vendor reports it only then. `request`: its small members. */
  withUsageOption?(bytes: Buffer, request: JsonObject): Buffer
  /** Whether a request asks its model to think; undefined: the request does not tell. Left out where the stream shows it. */
  asksToThink?(request: JsonObject): boolean | undefined
  /** Whether a whole reply can be passed on while it arrives: no edit in it depends on the rest. */
  passesOnWhole: boolean
  /** Fields of a vendor's error for programs, cleaned of secrets as the message is. */
  readErrorFields(error: JsonObject, hides: readonly string[]): VendorErrorFields
}

/** A dialect of vendors: the gateway writes requests and reads replies. */
export interface VendorDialect {
  writeRequest: WriteRequest
  readStream: ReadStream
  readReply: ReadReply
  /** Whether its stream reports nothing while the model has thoughts that are not shown. */
  hidesThoughts: boolean
}
