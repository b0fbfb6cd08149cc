import type { ApiError } from '../../domain/api-error.ts'
import type { ClientDialect } from '../canonical/dialect.ts'

/** The envelope of an error, as clients of this dialect read it. */
export function writeResponsesError({ status, message, type, param, code, vendorCode }: ApiError): object {
  return {
    error: {
      message,
      type: status === 402 ? 'insufficient_quota' : type,
      param,
      code: vendorCode ?? code,
    },
  }
}

export const RESPONSES_ERROR: ClientDialect['errorSchema'] = {
  name: 'ResponsesError',
  schema: {
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
  },
}
