import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'
import { STRICT_HEADER } from '../../schema/read-text-command.ts'
import { textHandler } from '../../schema/text-handler.ts'
import { TEXT_FAILURES, TEXT_HEADERS } from '../../schema/text-headers.ts'
import { ResponseFields, ResponseInput, ResponseUsage } from '../create-response/schemas.ts'

/** Has the fields of `ResponseBody`; a compaction uses those that describe the conversation. */
const CompactBody = json.object(
  {
    ...ResponseFields,
    input: json.nullish({
      ...ResponseInput,
      description: 'The conversation. Required, unless `previous_response_id` names one that is kept.',
    }),
    stream: json.optional(
      json.anything({ enum: [null, false], description: 'A compaction cannot be streamed.' }),
    ),
    background: json.optional(
      json.anything({
        enum: [null, false, 0, 'disabled'],
        description: 'A compaction cannot run in the background.',
      }),
    ),
  },
  {
    examples: [
      {
        model: 'vendorC/model-o4-mini',
        input: [
          { role: 'user', content: 'We launch on Tuesday.' },
          { role: 'assistant', content: 'Noted: Tuesday.' },
        ],
      },
    ],
  },
)

const CompactReply = json.object({
  id: json.string({ description: 'The id of the compaction, with the prefix `resp_`.' }),
  object: json.literal('response.compaction'),
  created_at: json.integer({ description: 'Unix seconds' }),
  output: json.array(
    json.object({
      type: json.string({
        description:
          '`message` for each part of the conversation that stays unchanged, and one `compaction` whose `encrypted_content` replaces the rest.',
      }),
    }),
  ),
  usage: ResponseUsage,
})

/** Leaves out the header that requests the cost within a stream, because a compaction is not streamed. */
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
