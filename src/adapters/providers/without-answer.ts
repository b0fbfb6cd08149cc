import { ApiError } from '../../domain/api-error.ts'
import type { Reading, Submission } from '../../ports/video-driver.ts'
import type { FailureKind, NetworkError } from '../outbound/network-error.ts'
import { toRetryAfterSeconds } from '../outbound/retry-after.ts'

/**
 * Result of a create call without a response. 429 is only for vendors that send it: a full queue of our own is 503 like
 * every other failure to reach a vendor.
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

/** Excludes our own full queue and rules, which would send one organization's overload to the next vendor. */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set(['refused', 'breaker-open'])

export function unreadableTicket() {
  return {
    kind: 'unanswered',
    cause: new Error('the ticket cannot be read'),
    retryAfterMs: undefined,
  } as const
}

/** A breaker of one organization does not delay the polls of other organizations' tasks. */
export function readingAfter(failure: NetworkError): Reading {
  const retryAfterMs = failure.scope === 'all' ? failure.retryAfterMs : undefined
  return { kind: 'unanswered', cause: failure, retryAfterMs }
}
