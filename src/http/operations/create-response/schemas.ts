import { EXACT, type JsonSchema, json } from '../../../domain/json/json-schema.ts'
import { HTTPS_URL_PATTERN } from '../../../domain/parse-https-url.ts'
import { ClientSchema, TextModel } from '../../schema/text-fields.ts'

const name = json.string({ minLength: 1 })
const text = json.nullish(json.string())
const flag = json.nullish(json.boolean())
const absent = json.optional(json.anything({ type: 'null' }))

/** An HTTPS URL that a vendor may fetch, a `data:` URL, or an empty text. */
const link = json.string({ pattern: `^(?:$|${HTTPS_URL_PATTERN}$|[Dd][Aa][Tt][Aa]:)` })

/** Schemas of a part that needs one of several sources; the first source that is set counts. */
const sources = (type: string, choices: Record<string, JsonSchema>[], more: Record<string, JsonSchema>) =>
  choices.map((choice) => json.object({ type: json.literal(type), ...choice, ...more }))

const TEXT_PARTS = ['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']

const part: JsonSchema = {
  anyOf: [
    ...TEXT_PARTS.map((type) => json.object({ type: json.literal(type), text: json.string() })),
    json.object({ type: json.literal('refusal'), refusal: json.string() }),
    ...sources('input_image', [{ image_url: link }, { image_url: absent, file_id: json.string() }], {
      detail: text,
    }),
    ...sources(
      'input_file',
      [
        { file_data: json.string(), file_url: json.nullish(link) },
        { file_data: absent, file_url: link },
        { file_data: absent, file_url: absent, file_id: json.string() },
      ],
      { filename: text },
    ),
    json.object({
      type: json.string({ not: { enum: [...TEXT_PARTS, 'refusal', 'input_image', 'input_file'] } }),
    }),
  ],
}

const parts = json.array(part)
const textOrParts = json.anything({ anyOf: [json.string(), parts] })

const tool = json.byType(
  {
    function: { name, description: text, parameters: json.nullish(ClientSchema), strict: flag },
    custom: { name, description: text, format: json.nullish(json.anything({ type: 'object' })) },
    namespace: { name, tools: json.array(json.object({ type: json.string() })) },
  },
  {
    other: {},
    description:
      '`function`, `custom` or `namespace`. Other types, such as `web_search`, work on native models only.',
  },
)

const call = { call_id: name, name, namespace: text }

const ITEMS = {
  function_call: { ...call, arguments: json.string() },
  custom_tool_call: { ...call, input: json.string() },
  function_call_output: { call_id: name, output: textOrParts },
  custom_tool_call_output: { call_id: name, output: textOrParts },
  reasoning: { encrypted_content: text, summary: json.nullish(parts), content: json.nullish(parts) },
  item_reference: { id: name },
  additional_tools: { tools: json.array(tool) },
}

const item: JsonSchema = {
  anyOf: [
    json.object({
      type: json.optional(json.anything({ enum: ['message', null] })),
      role: json.oneOf(['user', 'assistant', 'system', 'developer']),
      content: textOrParts,
    }),
    ...Object.entries(ITEMS).map(([type, members]) => json.object({ type: json.literal(type), ...members })),
    // A reference may have no type, and then it has no fields of a message.
    json.object(
      { type: absent, id: name },
      { not: { anyOf: [{ required: ['role'] }, { required: ['content'] }] } },
    ),
    json.object({ type: json.string({ not: { enum: ['message', ...Object.keys(ITEMS)] } }) }),
  ],
  description:
    '`message` (role `user`, `assistant`, `system` or `developer`), `function_call`, `function_call_output`, `reasoning`, and the items that coding agents send.',
}

const refused = (instead: string) =>
  json.optional(json.anything({ enum: [null, false, 0, 'disabled'], description: `Refused: ${instead}.` }))

/** Also accepts values that request nothing. */
const orNothing = (schema: JsonSchema) =>
  json.optional({ anyOf: [schema, { enum: [null, false, 0, 'disabled'] }] })

export const ResponseInput = json.anything({
  anyOf: [json.string({ description: 'A text stands for one message of the user.' }), json.array(item)],
})

export const ResponseFields = {
  model: TextModel,
  input: ResponseInput,
  instructions: text,
  stream: json.nullish(json.boolean({ description: 'Whether the reply is sent as server-sent events.' })),
  max_output_tokens: json.nullish(json.integer({ minimum: 1, maximum: EXACT.maximum })),
  temperature: json.nullish(json.number({ minimum: 0, maximum: 2 })),
  top_p: json.nullish(json.number({ minimum: 0, maximum: 1 })),
  tools: json.nullish(json.array(tool)),
  tool_choice: json.nullish({
    anyOf: [
      json.oneOf(['auto', 'none', 'required']),
      json.byType({ function: { name }, custom: { name } }, { other: {} }),
    ],
  }),
  parallel_tool_calls: flag,
  text: json.nullish(
    json.object({
      verbosity: text,
      format: json.nullish(
        json.byType(
          {
            json_schema: {
              name: json.string(),
              description: text,
              strict: flag,
              schema: json.anything({ type: 'object' }),
            },
          },
          { other: {}, description: '`text`, `json_object` or `json_schema`.' },
        ),
      ),
    }),
  ),
  reasoning: json.nullish(
    json.object({
      effort: json.nullish(
        json.string({ description: '`low`, `medium`, `high`, and values that newer models add.' }),
      ),
      summary: json.nullish(
        json.string({ description: '`auto`, `concise`, `detailed`, and values that newer models add.' }),
      ),
    }),
  ),
  include: json.nullish(
    json.array(json.string(), {
      description:
        'Further content of the reply, such as `reasoning.encrypted_content`, which the next request can send back.',
    }),
  ),
  metadata: json.nullish(json.anything({ type: 'object' })),
  store: json.nullish(
    json.boolean({
      description:
        'With `true` the reply can be read again and continued by every API key of your organization. `background` needs it. The default is `false`, unless your operator keeps replies by default.',
    }),
  ),
  previous_response_id: orNothing(
    json.string({
      minLength: 1,
      description: 'A response of your organization that is kept: its conversation is put before `input`.',
    }),
  ),
  conversation: refused('send the whole conversation in `input`'),
  background: orNothing(
    json.anything({
      enum: [true],
      description:
        'The reply continues without an open connection: read it with `GET /v1/responses/{response_id}`.',
    }),
  ),
  truncation: refused('shorten `input` yourself when it grows too long'),
}

/** Other fields are accepted too: newer clients send them, and a passthrough forwards them unchanged. */
export const ResponseBody = json.object(ResponseFields, {
  examples: [{ model: 'vendorC/model-4.1', input: 'Which way does the water go?' }],
})

export const ResponseUsage = json.object({
  input_tokens: json.integer(),
  output_tokens: json.integer(),
  total_tokens: json.integer(),
  input_tokens_details: json.object({ cached_tokens: json.integer() }),
  output_tokens_details: json.object({ reasoning_tokens: json.integer() }),
})

export const ResponseReply = json.object({
  id: json.string({ description: 'The id of the response, with the prefix `resp_`.' }),
  object: json.literal('response'),
  created_at: json.integer({ description: 'Unix seconds' }),
  model: json.string({ description: 'The id you asked for.' }),
  status: json.string({
    description:
      '`completed`, or `incomplete` with `incomplete_details`. A response that is read again may also be `queued`, `in_progress`, `failed` or `cancelled`.',
  }),
  output: json.array(
    json.object({ type: json.string({ description: '`message`, `function_call`, `reasoning`, ...' }) }),
  ),
  output_text: json.string({ description: 'All text of the output, joined.' }),
  usage: json.nullable(ResponseUsage, { description: 'null until a background reply has ended.' }),
})
