import { clientOperation } from '../../operation.ts'
import { textHandler } from '../../schema/text-handler.ts'
import { TEXT_FAILURES, TEXT_HEADERS } from '../../schema/text-headers.ts'
import { ResponseBody, ResponseReply } from './schemas.ts'

export const createResponse = clientOperation('createResponse', 'POST /v1/responses', 'responses', {
  takesSockets: true,
  isHot: true,
  summary: 'Ask a text model (Responses format)',
  description:
    'Takes the models that the catalog offers here. With `stream: true` the reply is a stream of server-sent events that ends with `response.completed`. With `store: true` the reply is kept and can be read again by every API key of your organization; with `background: true` it also continues after you disconnect. `previous_response_id` continues a response that is kept. `truncation` and `conversation` are refused. `GET` with an upgrade opens a WebSocket, over which the same requests are sent as `response.create` events: see `docs/websocket.md`.',
  headers: TEXT_HEADERS,
  body: { schema: ResponseBody, limitBytes: 'text', passesOn: true },
  replies: {
    200: {
      description: 'The response, or the stream of its events.',
      schema: ResponseReply,
      alsoAs: 'text/event-stream',
    },
    ...TEXT_FAILURES,
  },
  handle: textHandler('responses', { betas: 'openai-beta' }),
})
