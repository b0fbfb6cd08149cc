import type { StreamError } from '../canonical/reply-event.ts'
import type { PresentableError } from '../contract/dialect.ts'
import type { ClientDialect } from './dialect.ts'

/** The envelope of an error in the responses and chat dialects. */
export function writeErrorEnvelope({
  status,
  messageWithPlace: message,
  type,
  param,
  code,
  vendorCode,
}: PresentableError): object {
  return {
    error: {
      message,
      type: status === 402 ? 'insufficient_quota' : type,
      param,
      code: vendorCode ?? code,
    },
  }
}

export const ERROR_ENVELOPE_SCHEMA: ClientDialect['errorSchema']['schema'] = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'A sentence for people.' },
        type: { type: 'string', description: 'The kind of error.' },
        param: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description: 'The parameter at fault.',
        },
        code: {
          type: 'string',
          description:
            "One of the codes of the error catalog, or the vendor's own where it refused the request of a native model.",
        },
      },
      required: ['message', 'type', 'param', 'code'],
    },
  },
  required: ['error'],
}

/** Type and code of a failure in a responses or chat stream. Clients retry some of these codes and not others. */
export const FAILURE_CODES: Readonly<Record<StreamError['kind'], { type: string; code: string }>> = {
  broken: { type: 'api_error', code: 'server_error' },
  vendor: { type: 'api_error', code: 'server_error' },
  'too-late': { type: 'api_error', code: 'server_error' },
  draining: { type: 'api_error', code: 'server_error' },
  busy: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  refused: { type: 'invalid_request_error', code: 'invalid_prompt' },
  'too-long': { type: 'invalid_request_error', code: 'context_length_exceeded' },
  'too-large': { type: 'invalid_request_error', code: 'reply_too_large' },
  'organization-disabled': { type: 'permission_error', code: 'organization_disabled' },
  'user-disabled': { type: 'permission_error', code: 'user_disabled' },
}
