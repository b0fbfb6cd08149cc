import type { HotOperation } from '../../operation.ts'
import { readTextCommand } from '../../schema/read-text-command.ts'
import { readVersion } from '../../schema/read-version.ts'
import { TEXT_FAILURES, TEXT_HEADERS, VERSION_HEADERS } from '../../schema/text-headers.ts'
import { openSink } from '../../server/response-sink.ts'
import { MessageBody, MessageReply } from './schemas.ts'

export const createMessage: HotOperation = {
  isHot: true,
  id: 'createMessage',
  method: 'POST',
  path: '/v1/messages',
  area: 'messages',
  access: 'api-key',
  summary: 'Ask a text model (Messages format)',
  description:
    'Takes every text model of the catalog that is offered here, whatever its provider speaks. With `stream: true` the reply is a stream of server-sent events. The key may come as `x-api-key` or as a bearer token.',
  headers: { ...VERSION_HEADERS, ...TEXT_HEADERS },
  body: { schema: MessageBody, limitBytes: 32 * 1024 * 1024, nul: 'pass', keepsBytes: true },
  replies: {
    200: { description: 'The message, or the stream of its events.', schema: MessageReply },
    ...TEXT_FAILURES,
  },
  handle:
    ({ app }) =>
    (request, reply) => {
      const { headers } = request
      const command = readTextCommand(
        request,
        {
          endpoint: 'messages',
          operation: 'create',
          version: readVersion(headers),
          betas: headers['anthropic-beta'],
        },
        { app, reply },
      )
      const sink = openSink(request, reply)
      return command instanceof Promise
        ? command.then((read) => app.answerText(read, sink))
        : app.answerText(command, sink)
    },
}
