import { ApiError } from '../../domain/api-error.ts'
import type { Reading, Submission } from '../../ports/video-driver.ts'
import type { FailureKind, NetworkError } from '../outbound/network-error.ts'
import { toRetryAfterSeconds } from './retry-after.ts'

/**
 * What a create call without an answer has come to. 429 is left to vendors who say it: a queue of our own that
 * is full is 503 like every other way of not reaching one.
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

/** Not our own full queue or rules: these would bring one organization's flood to the next vendor. */
const OUT_OF_REACH: ReadonlySet<FailureKind> = new Set(['refused', 'breaker-open'])

/** What is held back for one organization says nothing about when the vendor wants to be asked about others' tasks. */
export function readingAfter(failure: NetworkError): Reading {
  const retryAfterMs = failure.scope === 'all' ? failure.retryAfterMs : undefined
  return { kind: 'unanswered', cause: failure, retryAfterMs }
}
