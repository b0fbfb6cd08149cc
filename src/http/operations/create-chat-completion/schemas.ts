import { EXACT, type JsonSchema, json } from '../../../domain/json/json-schema.ts'
import { HTTPS_URL_PATTERN } from '../../../domain/parse-https-url.ts'
import { ClientSchema, TextModel } from '../../schema/text-fields.ts'

const name = json.string({ minLength: 1 })
const text = json.nullish(json.string())
const flag = json.nullish(json.boolean())
const absent = json.optional(json.anything({ type: 'null' }))
const count = json.nullish(json.integer({ minimum: 1, maximum: EXACT.maximum }))

/** An HTTPS URL that a vendor may fetch, or a `data:` URL. */
const link = json.string({ pattern: `^(?:${HTTPS_URL_PATTERN}$|[Dd][Aa][Tt][Aa]:)` })

const part = json.byType(
  {
    text: { text: json.string() },
    refusal: { refusal: json.string() },
    image_url: { image_url: json.object({ url: link, detail: text }) },
    file: {
      file: {
        anyOf: [
          json.object({ file_data: json.string(), file_id: text, filename: text }),
          json.object({ file_data: absent, file_id: json.string(), filename: text }),
        ],
      },
    },
  },
  { other: {}, description: '`text`, `image_url`, `file`, and the parts that a provider knows beside them.' },
)

const content = json.anything({ anyOf: [json.string(), json.array(part)] })

const called = json.object({ name, arguments: json.string() })

const call: JsonSchema = {
  anyOf: [
    json.object({
      id: name,
      type: json.optional(json.anything({ enum: ['function', null] })),
      function: called,
    }),
    json.object({
      id: name,
      type: json.literal('custom'),
      custom: json.object({ name, input: json.string() }),
    }),
    json.object({ id: name, type: json.string({ not: { enum: ['function', 'custom'] } }) }),
  ],
}

const message: JsonSchema = {
  anyOf: [
    json.object({ role: json.oneOf(['system', 'developer', 'user']), content }),
    json.object({
      role: json.literal('assistant'),
      content: json.nullish(content),
      refusal: text,
      tool_calls: json.nullish(json.array(call)),
    }),
    json.object({ role: json.literal('tool'), tool_call_id: name, content }),
    json.object({ role: json.literal('function'), name, content: text }),
  ],
}

const tool = json.byType(
  {
    function: {
      function: json.object({
        name,
        description: text,
        parameters: json.nullish(ClientSchema),
        strict: flag,
      }),
    },
    custom: {
      custom: json.object({
        name,
        description: text,
        format: json.nullish(json.anything({ type: 'object' })),
      }),
    },
  },
  { other: {}, description: '`function` or `custom`.' },
)

/** Other fields are accepted too: newer clients send them, and a passthrough forwards them unchanged. */
export const ChatCompletionBody = json.object(
  {
    model: TextModel,
    messages: json.array(message, { minItems: 1 }),
    stream: json.nullish(json.boolean({ description: 'Whether the reply is sent as server-sent events.' })),
    stream_options: json.nullish(
      json.object({
        include_usage: json.nullish(json.boolean({ description: 'Whether a last chunk has the usage.' })),
      }),
    ),
    max_completion_tokens: count,
    max_tokens: count,
    temperature: json.nullish(json.number({ minimum: 0, maximum: 2 })),
    top_p: json.nullish(json.number({ minimum: 0, maximum: 1 })),
    n: json.nullish(
      json.integer({
        minimum: 1,
        maximum: 128,
        description:
          'Number of choices. More than 1 works only with models whose provider speaks chat completions.',
      }),
    ),
    stop: json.nullish({ anyOf: [json.string(), json.array(json.string())] }),
    tools: json.nullish(json.array(tool)),
    tool_choice: json.nullish({
      anyOf: [
        json.oneOf(['auto', 'none', 'required']),
        json.byType(
          { function: { function: json.object({ name }) }, custom: { custom: json.object({ name }) } },
          { other: {} },
        ),
      ],
    }),
    parallel_tool_calls: flag,
    response_format: json.nullish(
      json.byType(
        {
          json_schema: {
            json_schema: json.object({
              name,
              description: text,
              strict: flag,
              schema: json.nullish(ClientSchema),
            }),
          },
        },
        { other: {}, description: '`text`, `json_object` or `json_schema`.' },
      ),
    ),
    reasoning_effort: json.nullish(
      json.string({ description: '`low`, `medium`, `high`, and values that newer models add.' }),
    ),
    verbosity: text,
    user: text,
    metadata: json.nullish(json.anything({ type: 'object' })),
    store: flag,
  },
  {
    examples: [
      { model: 'vendorC/model-4.1', messages: [{ role: 'user', content: 'Which way does the water go?' }] },
    ],
  },
)

export const ChatCompletion = json.object({
  id: json.string({
    description: 'The id of the completion, with the prefix `chatcmpl-` or as its provider writes it.',
  }),
  object: json.literal('chat.completion'),
  created: json.integer({ description: 'Unix seconds' }),
  model: json.string({ description: 'The id you asked for.' }),
  choices: json.array(
    json.object({
      index: json.integer(),
      message: json.object({
        role: json.literal('assistant'),
        content: json.anything({ anyOf: [json.string(), { type: 'null' }] }),
      }),
      finish_reason: json.string({ description: '`stop`, `length`, `tool_calls` or `content_filter`.' }),
    }),
  ),
  usage: json.object({
    prompt_tokens: json.integer(),
    completion_tokens: json.integer(),
    total_tokens: json.integer(),
  }),
})
