import type { ReplyFailure } from '../hub/reply-failure.ts'

/** The type this wire gives a failure. */
export const ERROR_TYPES: Readonly<Record<ReplyFailure['kind'], string>> = {
  broken: 'api_error',
  vendor: 'api_error',
  busy: 'overloaded_error',
  refused: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  'too-late': 'timeout_error',
  draining: 'overloaded_error',
}
