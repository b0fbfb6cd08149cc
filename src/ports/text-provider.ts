import type { ChatVariant } from '@sluice/dialects/canonical/chat-variant'
import type { ThinkingMode } from '@sluice/dialects/canonical/codec'
import type { Dialect } from '@sluice/dialects/dialect-facts'

export interface TextProvider {
  name: string
  /** Strings that no client may read in its messages: the address of the provider, and the keys for it. */
  hides: readonly string[]
  /** The one organization that owns its account. Left out: all organizations share it. */
  organizationId?: string | undefined
  /** Differences of its chat dialect. Left out: none. */
  chat?: ChatVariant | undefined
  findModel(model: string): TextUpstreamModel | undefined
  /** Whether a call of this organization would be sent now, with an available key and a closed breaker. Left out: always. */
  isReady?(upstream: TextUpstreamModel, operation: ProviderOperation, organizationId: string): boolean
  /**
   * Sends one request. Repeats it with another key after a 401, 402 or 429, and once when no connection was made, but
   * never when the vendor may have accepted it. The receiver may be called before `send` returns.
   */
  send(call: TextCall, receiver: TextReceiver): TextSent
}

export interface TextSent {
  /** Hangs up in any state; does nothing once the request is over. */
  stop(kind: 'aborted'): void
  /** Whether the call waits in the gateway's queue, so that the vendor does not know it. Left out: false. */
  readonly isQueued?: boolean
  /** Called when the client has left. Returns whether the reply may be read further. Left out: true. */
  detach?(): boolean
}

export interface TextUpstreamModel {
  dialect: Dialect
  /** Vendor's id of the model. */
  upstream: string
  /** Whether the vendor counts tokens itself; only vendors of the messages dialect can. */
  countsTokens: boolean
  /** Whether the vendor compacts conversations itself; only vendors of the responses dialect can. Left out: false. */
  compacts?: boolean
  /** Whether the model accepts reasoning options, such as an effort. */
  reasons: boolean
  /** Way in which converted requests of the messages dialect ask the model to think. Left out: `budget`. */
  thinking?: ThinkingMode
}

export type ProviderOperation = 'create' | 'count-tokens' | 'compact' | 'embed'

export interface TextCall {
  /** Organizations have separate shares of the vendor's limits. */
  organizationId: string
  model: string
  dialect: Dialect
  operation: ProviderOperation
  body: string | Uint8Array
  /** The client's version of the messages dialect; undefined: the usual one. */
  version: string | undefined
  /** Flags of new features, as the client sent them. */
  betas: string | undefined
}

/**
 * Receives an answer in pieces: `onHead`, any number of `onChunk`, `onEnd`. `onFailure` may come at any moment in place
 * of the rest. The last call is `onEnd` or `onFailure`; only after an `onEnd` that throws, `onFailure` follows too.
 */
export interface TextReceiver {
  onHead(head: TextHead, flow: TextFlow): void
  onChunk(chunk: Buffer): void
  onEnd(): void
  onFailure(failure: TextNetworkError): void
}

export interface TextHead {
  status: number
  /** Time after which a vendor that refused wants to be called again. */
  retryAfterMs: number | undefined
}

export interface TextFlow {
  pause(): void
  resume(): void
  stop(kind: 'aborted' | 'too-large' | 'timeout-idle'): void
}

/** Reason why no answer came, or only a part of one. */
export interface TextNetworkError {
  kind: string
  taken: 'no' | 'maybe'
  retryAfterMs: number | undefined
}
