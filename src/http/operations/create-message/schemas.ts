import { EXACT, json } from '../../../domain/json/json-schema.ts'
import { HTTPS_URL_PATTERN, URL_LENGTH_MAX } from '../../../domain/parse-https-url.ts'
import { ClientSchema, TextModel } from '../../schema/text-fields.ts'

const BLOCK_KINDS =
  'A content block: `text`, `image` (base64 or HTTPS URL), `document` (base64 PDF), `tool_use`, `tool_result`, `thinking`, `redacted_thinking`.'

/** Block of a reply, or within another block. */
const anyBlock = json.object({ type: json.string() }, { description: BLOCK_KINDS })

const linked = { url: json.string({ maxLength: URL_LENGTH_MAX, pattern: `^${HTTPS_URL_PATTERN}$` }) }

const image = json.byType(
  {
    base64: { media_type: json.string({ pattern: '^image/' }), data: json.string({ minLength: 1 }) },
    url: linked,
  },
  { other: {} },
)

const document = json.byType(
  {
    base64: { media_type: json.literal('application/pdf'), data: json.string({ minLength: 1 }) },
    text: { data: json.string() },
    url: linked,
    content: { content: json.optional({ anyOf: [json.array(anyBlock), { not: { type: 'array' } }] }) },
  },
  { other: {} },
)

const block = json.byType(
  {
    text: { text: json.string() },
    image: { source: image },
    document: { source: document },
    tool_use: { id: json.string(), name: json.string(), input: json.anything({ type: 'object' }) },
    tool_result: {
      tool_use_id: json.string(),
      content: json.nullish({ anyOf: [json.string(), json.array(anyBlock)] }),
      is_error: json.nullish(json.boolean()),
    },
    thinking: { thinking: json.string() },
    redacted_thinking: { data: json.string() },
  },
  { other: {}, description: BLOCK_KINDS },
)

const ownTool = json.object({
  type: json.optional(json.anything({ enum: ['custom', null] })),
  name: json.string({ minLength: 1 }),
  description: json.nullish(json.string()),
  input_schema: ClientSchema,
})

const vendorTool = json.object({ type: json.string({ not: { const: 'custom' } }) })

const format = json.nullish(
  json.object({
    type: json.literal('json_schema'),
    name: json.nullish(json.string()),
    schema: json.anything({ type: 'object' }),
  }),
)

const positive = json.integer({ minimum: 1, maximum: EXACT.maximum })

const FIELDS = {
  model: TextModel,
  messages: json.array(
    json.object({
      role: json.oneOf(['user', 'assistant', 'system'], {
        description: '`system` in the middle of a conversation works with models that know it.',
      }),
      content: json.anything({ anyOf: [json.string(), json.array(block)] }),
    }),
    {
      minItems: 1,
      description:
        'The conversation. Images: at most 5 MB each and 12 MB together, decoded; URLs must be HTTPS.',
    },
  ),
  max_tokens: positive,
  system: json.nullish({
    anyOf: [json.string(), json.array(json.object({ type: json.literal('text'), text: json.string() }))],
  }),
  temperature: json.nullish(json.number({ minimum: 0, maximum: 1 })),
  top_p: json.nullish(json.number({ minimum: 0, maximum: 1 })),
  top_k: json.nullish(json.integer(EXACT)),
  stream: json.nullish(json.boolean({ description: 'Whether the reply is sent as server-sent events.' })),
  stop_sequences: json.nullish(json.array(json.string())),
  tools: json.nullish(json.array({ anyOf: [ownTool, vendorTool] })),
  tool_choice: json.nullish({
    anyOf: [
      json.object({
        type: json.literal('tool'),
        name: json.string({ description: 'Name of the tool.' }),
        disable_parallel_tool_use: json.nullish(json.boolean()),
      }),
      json.object({
        type: json.oneOf(['auto', 'any', 'none']),
        disable_parallel_tool_use: json.nullish(json.boolean()),
      }),
    ],
  }),
  thinking: json.nullish(
    json.byType(
      { enabled: { budget_tokens: positive } },
      {
        other: { budget_tokens: json.nullish(positive) },
        description: '`enabled`, `disabled`, or what newer models know.',
      },
    ),
  ),
  output_config: json.nullish(json.object({ effort: json.nullish(json.string()), format })),
  output_format: json.nullish({ ...format, description: 'The former name of `output_config.format`.' }),
  metadata: json.nullish(json.object({ user_id: json.nullish(json.string()) })),
  service_tier: json.nullish(json.string()),
  inference_geo: json.nullish(json.string()),
}

/** Other fields are accepted too: newer clients send them, and a passthrough forwards them unchanged. */
export const MessageBody = json.object(FIELDS, {
  examples: [
    {
      model: 'vendorD/text-large',
      max_tokens: 200,
      messages: [{ role: 'user', content: 'Which way does the water go?' }],
    },
  ],
})

/** A count has no reply, so it needs no output limit. */
export const CountBody = json.object(
  { ...FIELDS, max_tokens: json.nullish(positive) },
  { examples: MessageBody.examples ?? [] },
)

export const MessageReply = json.object({
  id: json.string({ description: 'The id of the message, with the prefix `msg_`.' }),
  type: json.literal('message'),
  role: json.literal('assistant'),
  content: json.array(anyBlock),
  model: json.string({ description: 'The id you asked for.' }),
  stop_reason: json.string({
    description: '`end_turn`, `max_tokens`, `stop_sequence`, `tool_use` or `refusal`.',
  }),
  stop_sequence: json.nullable(json.string()),
  usage: json.object({
    input_tokens: json.integer({
      description: 'Input tokens without those that were read from or written to a cache.',
    }),
    output_tokens: json.integer(),
    cache_creation_input_tokens: json.optional(json.integer()),
    cache_read_input_tokens: json.optional(json.integer()),
  }),
})
