import type { Dialect } from '@sluice/dialects/dialect-facts'

/** Replies of the benchmarks' upstream, in one dialect. */
export interface UpstreamReplies {
  /** About 1.5 KB. */
  whole: string
  /** Events before the deltas of a stream, one delta, and the events after them. */
  opening: string
  delta(text: string): string
  closing: string
}

const WORDS = 'Water rises in the chamber until both gates can open. '
const TEXT = WORDS.repeat(20)
const MODEL = 'upstream-model'

const MESSAGE = {
  ...{ id: 'msg_bench', type: 'message', role: 'assistant', model: MODEL },
  ...{ content: [{ type: 'text', text: TEXT }], stop_reason: 'end_turn', stop_sequence: null },
  usage: {
    ...{ input_tokens: 310, output_tokens: 240 },
    ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  },
}

const MESSAGES: UpstreamReplies = {
  whole: JSON.stringify(MESSAGE),
  opening:
    named({
      type: 'message_start',
      message: { ...MESSAGE, content: [], stop_reason: null, usage: { ...MESSAGE.usage, output_tokens: 1 } },
    }) + named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  delta: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  closing:
    named({ type: 'content_block_stop', index: 0 }) +
    named({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 240 },
    }) +
    named({ type: 'message_stop' }),
}

const PLACE = { item_id: 'msg_bench', output_index: 0, content_index: 0 }
const PART = { type: 'output_text', text: '', annotations: [] }
const ITEM = { id: 'msg_bench', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const ITEM_DONE = { ...ITEM, status: 'completed', content: [{ ...PART, text: TEXT }] }
const RESPONSE = {
  ...{ id: 'resp_bench', object: 'response', created_at: 1_700_000_000, status: 'in_progress', model: MODEL },
  ...{ error: null, incomplete_details: null, instructions: null, metadata: {}, output: [], usage: null },
  ...{ parallel_tool_calls: true, temperature: 1, tool_choice: 'auto', tools: [], top_p: 1 },
}
const RESPONSE_DONE = {
  ...RESPONSE,
  status: 'completed',
  output: [ITEM_DONE],
  usage: {
    ...{ input_tokens: 310, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: 240, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 550 },
  },
}

/** All deltas have the same number: the reader of a passing stream does not check it. */
const RESPONSES: UpstreamReplies = {
  whole: JSON.stringify(RESPONSE_DONE),
  opening:
    named({ type: 'response.created', sequence_number: 0, response: RESPONSE }) +
    named({ type: 'response.in_progress', sequence_number: 1, response: RESPONSE }) +
    named({ type: 'response.output_item.added', sequence_number: 2, output_index: 0, item: ITEM }) +
    named({ type: 'response.content_part.added', sequence_number: 3, ...PLACE, part: PART }),
  delta: (delta) => named({ type: 'response.output_text.delta', sequence_number: 4, ...PLACE, delta }),
  closing:
    named({ type: 'response.output_text.done', sequence_number: 104, ...PLACE, text: TEXT }) +
    named({
      type: 'response.content_part.done',
      sequence_number: 105,
      ...PLACE,
      part: { ...PART, text: TEXT },
    }) +
    named({ type: 'response.output_item.done', sequence_number: 106, output_index: 0, item: ITEM_DONE }) +
    named({ type: 'response.completed', sequence_number: 107, response: RESPONSE_DONE }),
}

const CHUNK = {
  ...{ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: MODEL },
  system_fingerprint: 'fp_bench',
}
const CHAT_USAGE = { prompt_tokens: 310, completion_tokens: 240, total_tokens: 550 }

const CHAT: UpstreamReplies = {
  whole: JSON.stringify({
    ...CHUNK,
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content: TEXT, refusal: null }, finish_reason: 'stop' },
    ],
    usage: CHAT_USAGE,
  }),
  opening: unnamed({ ...CHUNK, choices: [choice({ role: 'assistant', content: '' })] }),
  delta: (content) => unnamed({ ...CHUNK, choices: [choice({ content })] }),
  closing: `${unnamed({ ...CHUNK, choices: [{ ...choice({}), finish_reason: 'stop' }] })}${unnamed({ ...CHUNK, choices: [], usage: CHAT_USAGE })}data: [DONE]\n\n`,
}

export const UPSTREAM_REPLIES: Record<Dialect, UpstreamReplies> = {
  messages: MESSAGES,
  responses: RESPONSES,
  chat: CHAT,
}

function choice(delta: object) {
  return { index: 0, delta, finish_reason: null }
}

function named(event: { type: string; [member: string]: unknown }): string {
  return `event: ${event.type}\n${unnamed(event)}`
}

function unnamed(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
