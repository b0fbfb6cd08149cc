import { json } from '../../schema/json-schema.ts'

const block = json.object(
  { type: json.string() },
  {
    description:
      'A content block: `text`, `image` (base64 or HTTPS URL), `document` (base64 PDF), `tool_use`, `tool_result`, `thinking`, `redacted_thinking`.',
  },
)

const TEXT_OR_BLOCKS = { anyOf: [json.string(), json.array(block)] }

const tool = json.object({
  name: json.string(),
  description: json.optional(json.string()),
  input_schema: json.optional(json.anything({ type: 'object', description: 'A JSON schema.' })),
})

/** Beside these, fields that newer clients send are taken too: a passthrough forwards them as they are. */
export const MessageBody = json.object(
  {
    model: json.string({ description: '`<provider>/<model_name>`' }),
    messages: json.array(
      json.object({ role: json.oneOf(['user', 'assistant']), content: json.anything(TEXT_OR_BLOCKS) }),
      {
        description:
          'The conversation. Images: at most 5 MB each and 12 MB together, decoded; URLs must be HTTPS.',
      },
    ),
    max_tokens: json.integer({ minimum: 1 }),
    system: json.optional(json.anything(TEXT_OR_BLOCKS)),
    temperature: json.optional(json.number({ minimum: 0, maximum: 1 })),
    top_p: json.optional(json.number()),
    top_k: json.optional(json.integer()),
    stream: json.optional(json.boolean({ description: 'Server-sent events instead of one reply.' })),
    stop_sequences: json.optional(json.array(json.string())),
    tools: json.optional(json.array(tool)),
    tool_choice: json.optional(
      json.object({
        type: json.oneOf(['auto', 'any', 'tool', 'none']),
        name: json.optional(json.string({ description: 'Of the tool, with `tool`.' })),
      }),
    ),
    thinking: json.optional(
      json.object({
        type: json.string({ description: '`enabled`, `disabled`, or what newer models know.' }),
        budget_tokens: json.optional(json.integer()),
      }),
    ),
    output_config: json.optional(
      json.object({
        format: json.optional(
          json.object({
            type: json.literal('json_schema'),
            name: json.optional(json.string()),
            schema: json.anything({ type: 'object' }),
          }),
        ),
      }),
    ),
    metadata: json.optional(json.object({ user_id: json.optional(json.string()) })),
    service_tier: json.optional(json.string()),
    inference_geo: json.optional(json.string()),
  },
  {
    examples: [
      {
        model: 'vendorD/text-large',
        max_tokens: 200,
        messages: [{ role: 'user', content: 'Which way does the water go?' }],
      },
    ],
  },
)

export const MessageReply = json.object({
  id: json.string({ description: 'With the prefix `msg_`.' }),
  type: json.literal('message'),
  role: json.literal('assistant'),
  content: json.array(block),
  model: json.string({ description: 'The id you asked for.' }),
  stop_reason: json.string({
    description: '`end_turn`, `max_tokens`, `stop_sequence`, `tool_use` or `refusal`.',
  }),
  stop_sequence: json.nullable(json.string()),
  usage: json.object({
    input_tokens: json.integer({ description: 'Without those that were read from or written to a cache.' }),
    output_tokens: json.integer(),
    cache_creation_input_tokens: json.integer(),
    cache_read_input_tokens: json.integer(),
  }),
})
