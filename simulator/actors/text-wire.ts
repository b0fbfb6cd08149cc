import type { Dialect } from '@sluice/dialects/dialect-facts'

/** Usage that a vendor reports: disjoint counts. */
export interface VendorUsage {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
}

export interface Reply {
  /** The vendor's number of this call, which the text contains, so that a client knows whose reply it got. */
  callId: number
  model: string
  words: readonly string[]
  usage: VendorUsage
}

export function writeWhole(dialect: Dialect, reply: Reply): string {
  const text = reply.words.join('')
  if (dialect === 'chat')
    return JSON.stringify({
      id: `chatcmpl-${reply.callId}`,
      object: 'chat.completion',
      created: 1,
      model: reply.model,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: chatUsage(reply.usage),
    })
  if (dialect === 'responses') return JSON.stringify(responseOf(reply, text))
  return JSON.stringify({
    ...messageOf(reply),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: messagesUsage(reply.usage),
  })
}

/** Writes a stream, frame by frame. The frame with the complete usage is marked. */
export function writeStream(dialect: Dialect, reply: Reply): { bytes: string; hasUsage: boolean }[] {
  return FRAMES[dialect](reply).map(({ event, data, hasUsage = false }) => ({
    hasUsage,
    bytes: `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  }))
}

const FRAMES: Readonly<Record<Dialect, (reply: Reply) => Frame[]>> = {
  messages: messagesFrames,
  responses: responsesFrames,
  chat: chatFrames,
}

interface Frame {
  event?: string
  data: unknown
  hasUsage?: boolean
}

function messagesFrames(reply: Reply): Frame[] {
  const named = (type: string, data: object, hasUsage = false): Frame => ({
    event: type,
    data: { type, ...data },
    hasUsage,
  })
  const usage = messagesUsage(reply.usage)
  const message = {
    ...messageOf(reply),
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  }
  return [
    named('message_start', { message }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...reply.words.map((text) =>
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }, true),
    named('message_stop', {}),
  ]
}

function chatFrames(reply: Reply): Frame[] {
  const chunk = (choices: unknown[], rest: object = {}, hasUsage = false): Frame => ({
    data: {
      id: `chatcmpl-${reply.callId}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: reply.model,
      choices,
      ...rest,
    },
    hasUsage,
  })
  return [
    chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...reply.words.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { usage: chatUsage(reply.usage) }, true),
    { data: '[DONE]' },
  ]
}

function responsesFrames(reply: Reply): Frame[] {
  const text = reply.words.join('')
  const item = { type: 'message', id: `msg_${reply.callId}`, status: 'in_progress', role: 'assistant' }
  const place = { item_id: item.id, output_index: 0, content_index: 0 }
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
  const [done] = responseOf(reply, text).output
  const frames: [string, object][] = [
    [
      'response.created',
      { response: { ...responseOf(reply, ''), status: 'in_progress', output: [], usage: null } },
    ],
    ['response.output_item.added', { output_index: 0, item: { ...item, content: [] } }],
    ['response.content_part.added', { ...place, part: part('') }],
    ...reply.words.map((delta): [string, object] => [
      'response.output_text.delta',
      { ...place, delta, logprobs: [] },
    ]),
    ['response.output_text.done', { ...place, text, logprobs: [] }],
    ['response.content_part.done', { ...place, part: part(text) }],
    ['response.output_item.done', { output_index: 0, item: done }],
    ['response.completed', { response: responseOf(reply, text) }],
  ]
  return frames.map(([type, data], sequence_number) => ({
    event: type,
    data: { type, sequence_number, ...data },
    hasUsage: type === 'response.completed',
  }))
}

function responseOf({ callId, model, usage }: Reply, text: string) {
  const { input, cachedInput, cacheWrite, output } = usage
  return {
    id: `resp_${callId}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model,
    output: [
      {
        type: 'message',
        id: `msg_${callId}`,
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      },
    ],
    // The input of this dialect includes cache reads and writes.
    usage: {
      input_tokens: input + cachedInput + cacheWrite,
      input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + cachedInput + cacheWrite + output,
    },
  }
}

function messageOf({ callId, model }: Reply) {
  return { id: `msg_vendor${callId}`, type: 'message', role: 'assistant', model, stop_sequence: null }
}

function messagesUsage({ input, cachedInput, cacheWrite, output }: VendorUsage) {
  return {
    input_tokens: input,
    cache_read_input_tokens: cachedInput,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
  }
}

/** The input of this dialect includes cache reads and writes; it has no member for cache writes. */
function chatUsage({ input, cachedInput, cacheWrite, output }: VendorUsage) {
  const prompt = input + cachedInput + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
  }
}
