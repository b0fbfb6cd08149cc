import { json } from '../../../domain/json/json-schema.ts'
import { ResponseFields, ResponseInput, ResponseUsage } from '../create-response/schemas.ts'

/** Body of a request for a reply; a compaction uses the fields that describe the conversation. */
export const CompactBody = json.object(
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

export const CompactReply = json.object({
  id: json.string({ description: 'With the prefix `resp_`.' }),
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
