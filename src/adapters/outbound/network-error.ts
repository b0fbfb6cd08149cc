/** How a call to the outside can end without an answer. */
export type FailureKind =
  /** Our own rules forbid it; another attempt gives the same. */
  | 'forbidden'
  /** No connection came about. */
  | 'refused'
  /** Connected and sent, but the answer did not begin in time. */
  | 'timeout-first-byte'
  /** The answer began, then fell silent. */
  | 'timeout-idle'
  /** The answer kept coming, but not to its end in time. */
  | 'timeout-total'
  /** Cut half-way, or not HTTP. */
  | 'broken'
  /** The caller no longer wanted it. */
  | 'aborted'
  /** The caller took nothing more for long, while others waited for the slot. */
  | 'stalled'
  /** More bytes than the caller can take. */
  | 'too-large'
  /** Not tried: this upstream has failed too often just now. */
  | 'breaker-open'
  /** Not tried: every slot was taken and the queue full, or the wait too long. */
  | 'busy'

/** Whether the other side may have acted on the call. Only after a `no` may a call that spends be repeated. */
export type Taken = 'no' | 'maybe'

/** The message never holds an address: links may carry secrets. */
export class NetworkError extends Error {
  readonly kind: FailureKind
  readonly taken: Taken
  /** When it is worth trying again, where that is known. */
  readonly retryAfterMs: number | undefined
  /** Whom a call that was not tried would have been refused to: every organization, or only the one it was for. */
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
