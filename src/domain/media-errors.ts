/** A part of `ERRORS`: missing files. */
export const MEDIA_ERRORS = {
  content_not_ready: {
    status: 409,
    type: 'invalid_request_error',
    message: 'There is no content: it is not ready, or the provider no longer has it.',
    advice: 'Wait until the task has succeeded or the asset is active.',
  },
  clip_not_kept: {
    status: 409,
    type: 'invalid_request_error',
    message: 'There is no copy of this video, so nothing is known about its file.',
    advice:
      'Copies are made after a task has succeeded, where `MEDIA_STORE` is set and the organization wants them.',
  },
} as const
