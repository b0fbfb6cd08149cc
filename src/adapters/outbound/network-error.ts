/** Causes for which an outbound call ends without a complete response. */
export type FailureKind =
  /** The gateway's own rules forbid the call; a retry fails too. */
  | 'forbidden'
  /** No connection was established. */
  | 'refused'
  /** The response did not begin in time. */
  | 'timeout-first-byte'
  /** The response began, and then the vendor was silent for too long. */
  | 'timeout-idle'
  /** The response did not end in time. */
  | 'timeout-total'
  /** The connection was cut, or the response is not HTTP. */
  | 'broken'
  /** The caller aborted the call. */
  | 'aborted'
  /** The caller read nothing for a long time while other calls waited for the slot. */
  | 'stalled'
  /** The response is larger than the caller allows. */
  | 'too-large'
  /** The call was not sent, because a breaker of this upstream is open. */
  | 'breaker-open'
  /** The call was not sent: every slot was taken, and the queue was full or the wait too long. */
  | 'busy'

/** `maybe`: the vendor may have acted. `no`: it certainly has not, so that a call that costs money may be repeated. */
export type Taken = 'no' | 'maybe'

/** Failure of an outbound call. The message never contains an address, because links may contain secrets. */
export class NetworkError extends Error {
  readonly kind: FailureKind
  readonly taken: Taken
  /** Delay before a retry, if known. */
  readonly retryAfterMs: number | undefined
  /** Organizations that an open breaker refuses: all, or only the organization of the call. */
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
