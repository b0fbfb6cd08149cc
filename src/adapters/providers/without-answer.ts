import { ApiError } from '../../domain/api-error.ts'
import type { Reading, Submission } from '../../ports/video-driver.ts'
import type { FailureKind, NetworkError } from '../outbound/network-error.ts'
import { toRetryAfterSeconds } from '../outbound/retry-after.ts'

/**
 * Returns the result of a create call without a response. Only a vendor's 429 becomes 429; our own full
 * queue is 503, like every failure to reach a vendor.
 */
export function submissionAfter(failure: NetworkError): Submission {
  if (failure.taken === 'maybe') return { kind: 'lost', cause: failure }
  const retryAfterSeconds = toRetryAfterSeconds(failure.retryAfterMs)
  return {
    kind: 'refused',
    apiError: new ApiError('provider_unavailable', { retryAfterSeconds, cause: failure }),
    ...(OUT_OF_REACH.has(failure.kind) ? { reason: 'unreachable' } : {}),
  }
}

/**
 * Failures after which a stand-in may take over. `busy`, a full queue of the gateway, is left out, because a stand-in's
 * vendor would get the same overload. `forbidden` is left out, because the gateway's rules refuse the call.
 */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set(['refused', 'breaker-open'])

export function unreadableTicket() {
  return {
    kind: 'unanswered',
    cause: new Error('the ticket cannot be read'),
    retryAfterMs: undefined,
  } as const
}

/** Returns the reading after a failed call. The wait of one organization's breaker does not delay the polls of others. */
export function readingAfter(failure: NetworkError): Reading {
  const retryAfterMs = failure.scope === 'all' ? failure.retryAfterMs : undefined
  return { kind: 'unanswered', cause: failure, retryAfterMs }
}
