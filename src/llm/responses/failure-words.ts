import type { ReplyFailure } from '../hub/reply-failure.ts'

/** How this wire names a failure. The codes are those its clients know: some of them are tried again, some are not. */
export const FAILURE_WORDS: Readonly<Record<ReplyFailure['kind'], { type: string; code: string }>> = {
  broken: { type: 'api_error', code: 'server_error' },
  vendor: { type: 'api_error', code: 'server_error' },
  'too-late': { type: 'api_error', code: 'server_error' },
  draining: { type: 'api_error', code: 'server_error' },
  busy: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  refused: { type: 'invalid_request_error', code: 'invalid_prompt' },
  'too-long': { type: 'invalid_request_error', code: 'context_length_exceeded' },
}
