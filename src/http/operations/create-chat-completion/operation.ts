import { clientOperation } from '../../operation.ts'
import { textHandler } from '../../schema/text-handler.ts'
import { TEXT_FAILURES, TEXT_HEADERS } from '../../schema/text-headers.ts'
import { ChatCompletion, ChatCompletionBody } from './schemas.ts'

export const createChatCompletion = clientOperation(
  'createChatCompletion',
  'POST /v1/chat/completions',
  'chat',
  {
    isHot: true,
    summary: 'Ask a text model (Chat Completions format)',
    description:
      'Takes the models that the catalog offers here. With `stream: true` the reply is a stream of chunks that ends with `[DONE]`; the usage is in it when `stream_options.include_usage` is true. `n` above 1, `logprobs` and audio work only with models whose provider speaks chat completions.',
    headers: TEXT_HEADERS,
    body: { schema: ChatCompletionBody, limitBytes: 'text', passesOn: true },
    replies: {
      200: {
        description: 'The completion, or the stream of its chunks.',
        schema: ChatCompletion,
        alsoAs: 'text/event-stream',
      },
      ...TEXT_FAILURES,
    },
    handle: textHandler('chat', { betas: 'openai-beta' }),
  },
)
