import type { ClientDialect, PresentableError } from '../contract/dialect.ts'

/** The envelope of an error, as clients of this dialect read it. */
export function writeMessagesError(
  { status, messageWithPlace: message, details }: PresentableError,
  requestId: string,
): object {
  return {
    type: 'error',
    // `details` is left out where there are none.
    error: { type: typeOf(status), message, details },
    request_id: requestId,
  }
}

export const MESSAGES_ERROR: ClientDialect['errorSchema'] = {
  name: 'MessagesError',
  schema: {
    type: 'object',
    properties: {
      type: { const: 'error' },
      error: {
        type: 'object',
        properties: {
          type: { type: 'string', description: 'The kind of error.' },
          message: { type: 'string', description: 'A sentence for people.' },
          details: {
            type: 'object',
            properties: {},
            required: [],
            description: 'Details for programs; `error_code` names the cause.',
          },
        },
        required: ['type', 'message'],
      },
      request_id: { type: 'string', description: 'The same as the `x-request-id` header.' },
    },
    required: ['type', 'error', 'request_id'],
  },
}

/** Error types that clients of this dialect know; every other 4xx is the client's fault, every other 5xx ours. */
const TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  410: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function typeOf(status: number): string {
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}
