import type { Dialect } from '../../src/domain/catalog/dialects.ts'

/** What a vendor says that a reply used: disjoint counts. */
export interface VendorUsage {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
}

export interface Reply {
  /** The vendor's own number of this call: it stands in the text too, so that a client can tell whose reply it got. */
  callId: number
  model: string
  words: readonly string[]
  usage: VendorUsage
}

/** A whole reply as the bytes of its dialect. */
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
  return JSON.stringify({
    ...messageOf(reply),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: messagesUsage(reply.usage),
  })
}

/** A stream, frame by frame. The frame that carries the complete usage is marked. */
export function writeStream(dialect: Dialect, reply: Reply): { bytes: string; hasUsage: boolean }[] {
  const frames = dialect === 'chat' ? chatFrames(reply) : messagesFrames(reply)
  return frames.map(({ event, data, hasUsage = false }) => ({
    hasUsage,
    bytes: `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  }))
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

/** In this dialect the input counts what came from a cache; there is no word for what was written into one. */
function chatUsage({ input, cachedInput, cacheWrite, output }: VendorUsage) {
  const prompt = input + cachedInput + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
  }
}
