import { json } from '../../schema/json-schema.ts'

const item = json.object(
  { type: json.optional(json.string()) },
  {
    description:
      '`message` (role `user`, `assistant`, `system` or `developer`), `function_call`, `function_call_output`, `reasoning`, and the items that coding agents send.',
  },
)

const tool = json.object({
  type: json.string({
    description: '`function`, or what coding agents send. `web_search` on native models only.',
  }),
  name: json.optional(json.string()),
  description: json.optional(json.string()),
  parameters: json.optional(json.anything({ type: 'object', description: 'A JSON schema.' })),
})

/** Beside these, fields that newer clients send are taken too: a passthrough forwards them as they are. */
export const ResponseBody = json.object(
  {
    model: json.string({ description: '`<provider>/<model_name>`' }),
    input: json.anything({
      anyOf: [json.string({ description: 'Short for one message of the user.' }), json.array(item)],
    }),
    instructions: json.optional(json.string()),
    stream: json.optional(json.boolean({ description: 'Server-sent events instead of one reply.' })),
    max_output_tokens: json.optional(json.integer({ minimum: 1 })),
    temperature: json.optional(json.number({ minimum: 0, maximum: 2 })),
    top_p: json.optional(json.number()),
    tools: json.optional(json.array(tool)),
    tool_choice: json.optional(
      json.anything({
        anyOf: [json.oneOf(['auto', 'none', 'required']), json.object({ type: json.string() })],
      }),
    ),
    parallel_tool_calls: json.optional(json.boolean()),
    text: json.optional(
      json.object({
        format: json.optional(
          json.object({
            type: json.string({ description: '`text`, `json_object` or `json_schema`.' }),
            name: json.optional(json.string()),
            strict: json.optional(json.boolean()),
            schema: json.optional(json.anything({ type: 'object' })),
          }),
        ),
      }),
    ),
    reasoning: json.optional(
      json.object({
        effort: json.optional(
          json.string({ description: '`low`, `medium`, `high`, and the words of newer models.' }),
        ),
        summary: json.optional(json.oneOf(['auto', 'concise', 'detailed'])),
      }),
    ),
    include: json.optional(
      json.array(json.string(), {
        description: 'Such as `reasoning.encrypted_content`, which can be sent back in the next request.',
      }),
    ),
    metadata: json.optional(json.anything({ type: 'object' })),
  },
  { examples: [{ model: 'vendorC/model-4.1', input: 'Which way does the water go?' }] },
)

export const ResponseReply = json.object({
  id: json.string({ description: 'With the prefix `resp_`.' }),
  object: json.literal('response'),
  created_at: json.integer({ description: 'Unix seconds' }),
  model: json.string({ description: 'The id you asked for.' }),
  status: json.string({ description: '`completed`, or `incomplete` with `incomplete_details`.' }),
  output: json.array(
    json.object({ type: json.string({ description: '`message`, `function_call`, `reasoning`, ...' }) }),
  ),
  output_text: json.string({ description: 'All text of the output, joined.' }),
  usage: json.object({
    input_tokens: json.integer(),
    output_tokens: json.integer(),
    total_tokens: json.integer(),
    input_tokens_details: json.object({ cached_tokens: json.integer() }),
    output_tokens_details: json.object({ reasoning_tokens: json.integer() }),
  }),
})
