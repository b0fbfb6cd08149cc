/** Errors in place of a reply that the vendor was paid for. A repeated request is charged again. */
export const CHARGED_ERRORS = {
  reply_too_large: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The reply of the model is too large to be given as a whole. The reply is charged.',
    advice:
      'Ask for a stream, for fewer choices or a shorter reply, or leave out `logprobs`. The provider was paid for the reply, so a repeated request is charged again.',
  },
  summary_not_usable: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The model wrote no summary that can take the place of the conversation. The reply is charged.',
    advice:
      'Send a shorter conversation, take out instructions that keep the model from a summary, or compact with another model. The provider was paid for the reply, so a repeated request is charged again.',
  },
} as const
