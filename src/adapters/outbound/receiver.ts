import type { IncomingHttpHeaders } from 'node:http'
import type { FailureKind, NetworkError } from './network-error.ts'

export interface Head {
  readonly status: number
  /** Headers, which may be parsed on first access. */
  readonly headers: IncomingHttpHeaders
}

/** Controls of a running response for its receiver. */
export interface Flow {
  pause(): void
  resume(): void
  /** Closes the connection. The call ends with a failure of this kind. */
  stop(kind: FailureKind): void
}

/** Controls of a running call for its sender. */
export interface Sent {
  /** Ends the call with this failure, or with `aborted` while it is queued. Does nothing after the end. */
  stop(kind: FailureKind): void
  /** true while the call waits for a slot. */
  readonly isQueued?: boolean
  /** Called when the client left. Returns true if the response may be read on for its usage. */
  detach?(): boolean
}

/**
 * Receives a response: `onHead`, any number of `onChunk`, `onEnd`. `onFailure` may come at any moment in place of the
 * rest. The last call is `onEnd` or `onFailure`; only after an `onEnd` that throws, `onFailure` follows too.
 */
export interface Receiver {
  onHead(head: Head, flow: Flow): void
  onChunk(chunk: Buffer): void
  onEnd(): void
  onFailure(failure: NetworkError): void
}

/** Returns the class of a status, such as `4xx`. Success is a constant text, which metrics find faster. */
export function classOfStatus(status: number): string {
  return status >= 200 && status < 300 ? '2xx' : `${Math.floor(status / 100)}xx`
}
