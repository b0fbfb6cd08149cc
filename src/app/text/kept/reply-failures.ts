import type { RecordFailure } from '@sluice/dialects/responses/kept/reply-record'

const OURS = { type: 'api_error', code: 'server_error' } as const

export const CANCELLED: RecordFailure = {
  type: 'invalid_request_error',
  code: 'response_cancelled',
  message: 'The response was cancelled.',
}

export const TOO_LARGE: RecordFailure = {
  ...OURS,
  message: 'The reply is too large: at most 2 MiB of one reply are kept.',
}

export const BROKEN: RecordFailure = {
  ...OURS,
  message: 'The reply ended before the provider had finished it.',
}

export const LOST: RecordFailure = {
  ...OURS,
  message: 'The gateway process that ran this response has stopped. Send the request again.',
}

export const EVENTS_GONE: RecordFailure = {
  ...OURS,
  message: 'The events of this response are no longer kept.',
}

export const EVENTS_CUT: RecordFailure = {
  ...OURS,
  message:
    'Only the first 2 MiB of the events of this response are kept. Get the response without stream=true.',
}
