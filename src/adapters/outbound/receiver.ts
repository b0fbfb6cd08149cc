import type { IncomingHttpHeaders } from 'node:http'
import type { FailureKind, NetworkError } from './network-error.ts'

export interface Head {
  readonly status: number
  /** May be read from their text only when asked for. */
  readonly headers: IncomingHttpHeaders
}

/** What a receiver may do to a running answer. */
export interface Flow {
  pause(): void
  resume(): void
  /** Closes the connection; the call ends with a failure of this kind. */
  stop(kind: FailureKind): void
}

/** A running call, for its sender. */
export interface Sent {
  /** Ends it whatever it waits for, in the queue always as `aborted`; once it is over this changes nothing. */
  stop(kind: FailureKind): void
  /** It waits for a slot. Left out: it has one. */
  readonly isQueued?: boolean
  /** Its client has left. True: it may be read on for its count; only a part of the slots is for such calls. */
  detach?(): boolean
}

/**
 * Takes an answer piece by piece, in this order: `onHead`, any number of `onChunk`, `onEnd`. `onFailure` may come
 * at any moment instead of the rest. Exactly one of `onEnd` and `onFailure` is called, once, and nothing after it; only an
 * `onEnd` that throws is followed by an `onFailure`.
 */
export interface Receiver {
  onHead(head: Head, flow: Flow): void
  onChunk(chunk: Buffer): void
  onEnd(): void
  onFailure(failure: NetworkError): void
}

/** Nearly every call ends well, and a label that is always the same string is found without comparing. */
export function classOfStatus(status: number): string {
  return status >= 200 && status < 300 ? '2xx' : `${Math.floor(status / 100)}xx`
}
