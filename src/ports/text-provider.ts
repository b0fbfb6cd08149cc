import type { ChatVariant } from '../domain/catalog/chat-variant.ts'
import type { Dialect } from '../domain/catalog/dialects.ts'

/** One configured vendor of text models. */
export interface TextProvider {
  name: string
  /** What no client may read in its words: its address, and our keys for it. */
  hides: readonly string[]
  /** The one organization that its account belongs to. Left out: all of them share it. */
  organizationId?: string | undefined
  /** What its chat dialect wants otherwise. Left out: nothing. */
  chat?: ChatVariant | undefined
  /** undefined: it has no such model. */
  findModel(model: string): TextUpstreamModel | undefined
  /**
   * Whether this organization's call would be sent now, with a key that does not rest: no breaker refuses it. Left out: always.
   */
  isReady?(upstream: TextUpstreamModel, operation: TextOperation, organizationId: string): boolean
  /**
   * Sends one request. Where the vendor refuses a key, limits it, or cannot be reached, it may be sent again with another
   * key: never when the vendor may have taken it. The receiver may be called before this returns.
   */
  send(call: TextCall, receiver: TextReceiver): TextSent
}

/** A request that is running. */
export interface TextSent {
  /** Hangs up, whatever it waits for; once it is over this changes nothing. */
  stop(kind: 'aborted'): void
  /** It waits for its turn: the vendor knows nothing of it yet. Left out: it does not. */
  readonly isQueued?: boolean
  /** Its client has left. True: it may be read on; too many such calls would take the vendor from other clients. Left out: it may. */
  detach?(): boolean
}

export interface TextUpstreamModel {
  dialect: Dialect
  /** The vendor's own id. */
  upstream: string
  /** Whether the vendor counts tokens itself; only the messages dialect has it. */
  countsTokens: boolean
  /** Whether the vendor compacts conversations itself; only the responses dialect has it. Left out: it does not. */
  compacts?: boolean
  /** Whether the model takes a word about its reasoning, such as an effort. */
  reasons: boolean
}

export type TextOperation = 'create' | 'count-tokens' | 'compact' | 'embed'

export interface TextCall {
  /** For whom the call is made: what is shared towards a vendor has a share for each organization. */
  organizationId: string
  /** The vendor's own id of the model. */
  model: string
  dialect: Dialect
  operation: TextOperation
  body: string | Uint8Array
  /** The client's own version of the messages dialect; undefined: the usual one. */
  version: string | undefined
  /** Flags of new features, as the client sent them. */
  betas: string | undefined
}

/**
 * Takes an answer piece by piece: `onHead`, any number of `onChunk`, `onEnd`. `onFailure` may come at any moment instead
 * of the rest. Exactly one of `onEnd` and `onFailure` is called, once, and nothing after it.
 */
export interface TextReceiver {
  onHead(head: TextHead, flow: TextFlow): void
  onChunk(chunk: Buffer): void
  onEnd(): void
  onFailure(failure: TextNetworkError): void
}

export interface TextHead {
  status: number
  /** When a vendor that refused wants to be asked again. */
  retryAfterMs: number | undefined
}

export interface TextFlow {
  pause(): void
  resume(): void
  /** Closes the connection. */
  stop(kind: 'aborted' | 'too-large' | 'timeout-idle'): void
}

/** Why no answer came, or only a part of one. */
export interface TextNetworkError {
  kind: string
  taken: 'no' | 'maybe'
  retryAfterMs: number | undefined
}
