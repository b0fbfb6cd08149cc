import type { IncomingHttpHeaders } from 'node:http'
import type { FailureKind, NetworkError } from './network-error.ts'

export interface Head {
  readonly status: number
  /** May be parsed on first access. */
  readonly headers: IncomingHttpHeaders
}

/** Controls of a running response for its receiver. */
export interface Flow {
  pause(): void
  resume(): void
  /** Closes the connection; the call ends with a failure of this kind. */
  stop(kind: FailureKind): void
}

/** Controls of a running call for its sender. */
export interface Sent {
  /** Ends the call with this failure; a queued call always fails as `aborted`. No effect after the end. */
  stop(kind: FailureKind): void
  /** Whether the call waits for a slot; undefined: it has one. */
  readonly isQueued?: boolean
  /** Called when the client has left. True: the response may be read on for its usage; the slots for such calls are limited. */
  detach?(): boolean
}

/**
 * Receives a response in this order: `onHead`, any number of `onChunk`, `onEnd`. `onFailure` may come at any moment
 * instead of the rest. Either `onEnd` or `onFailure` is called, once and last; only an `onEnd` that throws is followed by
 * `onFailure`.
 */
export interface Receiver {
  onHead(head: Head, flow: Flow): void
  onChunk(chunk: Buffer): void
  onEnd(): void
  onFailure(failure: NetworkError): void
}

/** Uses a constant for success: metrics find a label faster when it is always the same string object. */
export function classOfStatus(status: number): string {
  return status >= 200 && status < 300 ? '2xx' : `${Math.floor(status / 100)}xx`
}
