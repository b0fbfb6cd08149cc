/**
 * Requirements of the Open Responses specification for its objects, as far as its published acceptance tests check
 * them, written as JSON schemas.
 */

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
const NUMBER = { type: 'number' }
const FLAG = { type: 'boolean' }
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const only = (...words: string[]) => ({ enum: words })

/** Every member of `properties` is required; further members are allowed. */
function record(properties: Record<string, object>, optional: Record<string, object> = {}): object {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } }
}

const listOf = (items: object) => ({ type: 'array', items })
const STATUS = only('in_progress', 'completed', 'incomplete')

const OUTPUT_TEXT = record({ type: only('output_text'), text: TEXT, annotations: listOf({ type: 'object' }) })
const REFUSAL = record({ type: only('refusal'), refusal: TEXT })
const SUMMARY = record({ type: only('summary_text'), text: TEXT })

const ITEM = {
  anyOf: [
    record(
      {
        type: only('message'),
        id: TEXT,
        status: STATUS,
        role: only('assistant'),
        content: listOf({ anyOf: [OUTPUT_TEXT, REFUSAL] }),
      },
      { phase: orNull(only('commentary', 'final_answer')) },
    ),
    record({
      type: only('function_call'),
      id: TEXT,
      call_id: TEXT,
      name: TEXT,
      arguments: TEXT,
      status: STATUS,
    }),
    record({ type: only('reasoning'), id: TEXT, summary: listOf(SUMMARY) }),
  ],
}

const USAGE = record({
  input_tokens: COUNT,
  output_tokens: COUNT,
  total_tokens: COUNT,
  input_tokens_details: record({ cached_tokens: COUNT }),
  output_tokens_details: record({ reasoning_tokens: COUNT }),
})

const TOOL = record({
  ...{ type: only('function'), name: TEXT, description: orNull(TEXT) },
  ...{ parameters: orNull({ type: 'object' }), strict: orNull(FLAG) },
})

export const RESPONSE = record({
  id: TEXT,
  object: only('response'),
  created_at: COUNT,
  completed_at: orNull(COUNT),
  status: only('queued', 'in_progress', 'completed', 'incomplete', 'failed'),
  incomplete_details: orNull(record({ reason: TEXT })),
  model: TEXT,
  previous_response_id: orNull(TEXT),
  instructions: orNull(TEXT),
  output: listOf(ITEM),
  error: orNull(record({ code: TEXT, message: TEXT })),
  tools: listOf(TOOL),
  tool_choice: { anyOf: [only('auto', 'none', 'required'), record({ type: TEXT })] },
  truncation: only('auto', 'disabled'),
  parallel_tool_calls: FLAG,
  text: record({ format: record({ type: TEXT }) }),
  top_p: NUMBER,
  presence_penalty: NUMBER,
  frequency_penalty: NUMBER,
  top_logprobs: COUNT,
  temperature: NUMBER,
  reasoning: orNull(record({ effort: orNull(TEXT), summary: orNull(TEXT) })),
  usage: orNull(USAGE),
  max_output_tokens: orNull(COUNT),
  max_tool_calls: orNull(COUNT),
  store: FLAG,
  background: FLAG,
  service_tier: TEXT,
  metadata: { type: 'object' },
  safety_identifier: orNull(TEXT),
  prompt_cache_key: orNull(TEXT),
})

const USER_MESSAGE = record({
  ...{ type: only('message'), id: TEXT, status: STATUS, role: only('user') },
  content: listOf(record({ type: TEXT })),
})
const PACKED = record({ type: only('compaction'), id: TEXT, encrypted_content: TEXT })

export const COMPACTION = record({
  ...{ id: TEXT, object: only('response.compaction'), created_at: COUNT },
  output: listOf({ anyOf: [USER_MESSAGE, PACKED] }),
  usage: USAGE,
})

/** An error over a WebSocket. */
export const SOCKET_ERROR = record({
  type: only('error'),
  status: COUNT,
  error: record({ code: orNull(TEXT), message: TEXT, param: orNull(TEXT) }),
})

const IN_ITEM = { item_id: TEXT, output_index: COUNT }
const IN_PART = { ...IN_ITEM, content_index: COUNT }
const IN_SUMMARY = { ...IN_ITEM, summary_index: COUNT }

/** Members of each event beside `type` and `sequence_number`. */
const EVENTS: Readonly<Record<string, Record<string, object>>> = {
  'response.created': { response: RESPONSE },
  'response.in_progress': { response: RESPONSE },
  'response.completed': { response: RESPONSE },
  'response.output_item.added': { output_index: COUNT, item: ITEM },
  'response.output_item.done': { output_index: COUNT, item: ITEM },
  'response.content_part.added': { ...IN_PART, part: { anyOf: [OUTPUT_TEXT, REFUSAL] } },
  'response.content_part.done': { ...IN_PART, part: { anyOf: [OUTPUT_TEXT, REFUSAL] } },
  'response.output_text.delta': { ...IN_PART, delta: TEXT, logprobs: listOf({}) },
  'response.output_text.done': { ...IN_PART, text: TEXT, logprobs: listOf({}) },
  'response.function_call_arguments.delta': { ...IN_ITEM, delta: TEXT },
  'response.function_call_arguments.done': { ...IN_ITEM, name: TEXT, arguments: TEXT },
  'response.reasoning_summary_part.added': { ...IN_SUMMARY, part: SUMMARY },
  'response.reasoning_summary_part.done': { ...IN_SUMMARY, part: SUMMARY },
  'response.reasoning_summary_text.delta': { ...IN_SUMMARY, delta: TEXT },
  'response.reasoning_summary_text.done': { ...IN_SUMMARY, text: TEXT },
}

export const EVENT_TYPES: readonly string[] = Object.keys(EVENTS)

export function eventShape(type: string): object {
  return record({ type: only(type), sequence_number: COUNT, ...EVENTS[type] })
}
