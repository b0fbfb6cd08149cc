/** Causes for which an outbound call ends without a complete response. */
export type FailureKind =
  /** The gateway's own rules forbid it; a retry fails too. */
  | 'forbidden'
  /** No connection was established. */
  | 'refused'
  /** The response did not begin in time. */
  | 'timeout-first-byte'
  /** The response began, then the vendor was silent for too long. */
  | 'timeout-idle'
  /** The response did not end in time. */
  | 'timeout-total'
  /** The connection was cut, or the response is not HTTP. */
  | 'broken'
  /** The caller aborted it. */
  | 'aborted'
  /** The caller read nothing for a long time while other calls waited for the slot. */
  | 'stalled'
  /** The response is larger than the caller allows. */
  | 'too-large'
  /** Not sent: the breaker of this upstream is open. */
  | 'breaker-open'
  /** Not sent: every slot was taken, and the queue was full or the wait too long. */
  | 'busy'

/** Whether the vendor may have acted on the call. A call that costs money may be repeated only after a `no`. */
export type Taken = 'no' | 'maybe'

/** The message never contains an address: links may contain secrets. */
export class NetworkError extends Error {
  readonly kind: FailureKind
  readonly taken: Taken
  /** Delay before a retry, if known. */
  readonly retryAfterMs: number | undefined
  /** Whether an open breaker refuses every organization, or only the one of the call. */
  readonly scope: 'all' | 'organization'

  constructor(
    kind: FailureKind,
    details: {
      taken: Taken
      reason?: string
      retryAfterMs?: number
      scope?: 'all' | 'organization'
      cause?: unknown
    },
  ) {
    super(`outbound call ${kind}${details.reason === undefined ? '' : `: ${details.reason}`}`, {
      cause: details.cause,
    })
    this.name = 'NetworkError'
    this.kind = kind
    this.taken = details.taken
    this.retryAfterMs = details.retryAfterMs
    this.scope = details.scope ?? 'all'
  }
}

export function forbidden(reason: string): NetworkError {
  return new NetworkError('forbidden', { taken: 'no', reason })
}
