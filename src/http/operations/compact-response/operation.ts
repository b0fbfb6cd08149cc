import { clientOperation } from '../../operation.ts'
import { STRICT_HEADER } from '../../schema/read-text-command.ts'
import { textHandler } from '../../schema/text-handler.ts'
import { TEXT_FAILURES, TEXT_HEADERS } from '../../schema/text-headers.ts'
import { CompactBody, CompactReply } from './schemas.ts'

/** The reply is not streamed, so there is no cost to report in a stream. */
const HEADERS = ['Idempotency-Key', STRICT_HEADER]

export const compactResponse = clientOperation('compactResponse', 'POST /v1/responses/compact', 'responses', {
  summary: 'Compact a conversation (Responses format)',
  description:
    'Takes a conversation that has grown long and answers with a short one: send its `output` as the `input` of your next request, followed by what is new. It costs what a reply of the model costs. Where the provider has no such endpoint, the model is asked for a summary, which is encrypted for your organization and can be given to every model here.',
  headers: Object.fromEntries(Object.entries(TEXT_HEADERS).filter(([name]) => HEADERS.includes(name))),
  body: { schema: CompactBody, limitBytes: 'text', passesOn: true },
  replies: { 200: { description: 'The compacted conversation.', schema: CompactReply }, ...TEXT_FAILURES },
  handle: textHandler('responses', { betas: 'openai-beta', operation: 'compact' }),
})
