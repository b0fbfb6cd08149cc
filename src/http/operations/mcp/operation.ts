import { isJsonObject } from '@sluice/dialects/json/json-object'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'

/** GET and DELETE are 405, because the server has no sessions and sends nothing without a request. */
export const mcp = clientOperation('mcp', 'POST /mcp', 'video', {
  isOffered: ({ answerMcp }) => answerMcp !== undefined,
  summary: 'Serve agents by the Model Context Protocol',
  description:
    'Streamable HTTP without sessions: tools to quote, create, get, list and cancel videos, for assets and for the balance. Each message counts as one request of the API key.',
  headers: {
    accept: {
      schema: json.string(),
      description: 'The two types that the protocol requires.',
      example: 'application/json, text/event-stream',
    },
  },
  body: {
    schema: json.object(
      {},
      {
        description: 'One JSON-RPC message of the protocol. Lists of messages are refused.',
        examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
      },
    ),
    limitBytes: 1024 * 1024,
    takesTurns: true,
  },
  replies: {
    200: { description: 'The reply, as JSON or as an event stream.', contentType: 'text/event-stream' },
    202: { description: 'A notification was taken.' },
    400: { description: 'The body is not one JSON-RPC message.' },
    404: { description: 'This deployment serves no agents: `MCP=off`.' },
  },
  handle: (parts) => (request, reply) => {
    const { answerMcp } = parts
    if (!isJsonObject(request.body))
      throw new ApiError('invalid_parameter', { message: 'The body must be one JSON-RPC message.' })
    return answerMcp?.(request, reply, parts)
  },
})
