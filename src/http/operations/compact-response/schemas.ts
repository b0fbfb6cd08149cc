import { json } from '../../../domain/json/json-schema.ts'
import { ResponseFields, ResponseInput, ResponseUsage } from '../create-response/schemas.ts'

/** Fields of a request for a reply that make sense without one. */
export const CompactBody = json.object(
  {
    ...ResponseFields,
    input: json.nullish({
      ...ResponseInput,
      description: 'The conversation. Required, unless `previous_response_id` names one that is kept.',
    }),
    stream: json.optional(json.anything({ enum: [null, false], description: 'A compaction comes whole.' })),
    background: json.optional(
      json.anything({ enum: [null, false, 0, 'disabled'], description: 'A compaction is waited for.' }),
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
          '`message` for what stays of the conversation as it was, and one `compaction` whose `encrypted_content` stands for the rest.',
      }),
    }),
  ),
  usage: ResponseUsage,
})
