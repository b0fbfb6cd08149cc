import { clientOperation } from '../../operation.ts'
import { readVersion } from '../../schema/read-version.ts'
import { textHandler } from '../../schema/text-handler.ts'
import { TEXT_FAILURES, TEXT_HEADERS, VERSION_HEADERS } from '../../schema/text-headers.ts'
import { MessageBody, MessageReply } from './schemas.ts'

export const createMessage = clientOperation('createMessage', 'POST /v1/messages', 'messages', {
  isHot: true,
  summary: 'Ask a text model (Messages format)',
  description:
    'Works with every text model in the catalog that allows this endpoint, whatever format its provider uses. With `stream: true` the reply is a stream of server-sent events. The key may come as `x-api-key` or as a bearer token.',
  headers: { ...VERSION_HEADERS, ...TEXT_HEADERS },
  body: { schema: MessageBody, limitBytes: 'text', passesOn: true },
  replies: {
    200: {
      description: 'The message, or the stream of its events.',
      schema: MessageReply,
      alsoAs: 'text/event-stream',
    },
    ...TEXT_FAILURES,
  },
  handle: textHandler('messages', { readVersion, betas: 'anthropic-beta' }),
})
