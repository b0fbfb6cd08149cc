import type { Dialect } from '@sluice/dialects/dialect-facts'

/** A vendor's reply of about this number of bytes that is costly in its own way. */
export interface VendorShape {
  name: string
  /** Whether a quick run includes it. */
  isSample: boolean
  make(dialect: Dialect, bytes: number): Parts
}

/** The text of a reply, and the members beside it. */
interface Parts {
  text: string
  beside: unknown
}

export const VENDOR_SHAPES: readonly VendorShape[] = [
  says('plain text', (bytes) => 'lorem ipsum '.repeat(bytes / 12)),
  says('quotes', (bytes) => '"'.repeat(bytes / 2)),
  says('control characters', (bytes) => '\u0001'.repeat(bytes / 6)),
  says('characters of three bytes', (bytes) => '漢'.repeat(bytes / 3)),
  has('probabilities', (bytes) => filled(bytes, { token: 'a', logprob: -0.1234567, bytes: [97] })),
  has('numbers', (bytes) => filled(bytes, 0.1234567890123456)),
  has('lists', (bytes) => filled(bytes, [])),
  has('one long text beside', (bytes) => 'x'.repeat(bytes)),
]

function says(name: string, text: (bytes: number) => string): VendorShape {
  return {
    ...{ name, isSample: name === 'plain text' },
    make: (_dialect, bytes) => ({ text: text(bytes), beside: null }),
  }
}

function has(name: string, beside: (bytes: number) => unknown): VendorShape {
  return {
    ...{ name, isSample: name === 'probabilities' },
    make: (_dialect, bytes) => ({ text: 'Hi', beside: beside(bytes) }),
  }
}

function filled(bytes: number, value: unknown): unknown[] {
  return Array(Math.floor(bytes / (JSON.stringify(value).length + 1))).fill(value)
}

/** The reply as one JSON value. */
export function wholeReply(dialect: Dialect, { text, beside }: Parts): object {
  if (dialect === 'chat')
    return {
      ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'up' },
      choices: [
        { index: 0, message: { role: 'assistant', content: text }, logprobs: beside, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
    }
  if (dialect === 'messages')
    return {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'up', beside },
      content: [{ type: 'text', text }],
      ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 10, output_tokens: 20 } },
    }
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'up', beside },
    output: [
      {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
  }
}

/** A stream with all of it in one event. */
export function streamedReply(dialect: Dialect, parts: Parts): string {
  const { text, beside } = parts
  if (dialect === 'chat') {
    const chunk = (delta: object, more: object) =>
      `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'up', choices: [{ index: 0, delta, ...more }] })}\n\n`
    return `${chunk({ content: text }, { logprobs: beside, finish_reason: null })}${chunk({}, { finish_reason: 'stop' })}data: [DONE]\n\n`
  }
  if (dialect === 'messages') {
    const start = { ...wholeReply(dialect, { text: '', beside }), content: [], stop_reason: null }
    return [
      { type: 'message_start', message: start },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
      { type: 'message_stop' },
    ]
      .map(named)
      .join('')
  }
  const response = wholeReply(dialect, parts)
  return [
    {
      type: 'response.created',
      sequence_number: 0,
      response: { ...response, status: 'in_progress', output: [] },
    },
    { type: 'response.completed', sequence_number: 1, response },
  ]
    .map(named)
    .join('')
}

function named(event: { type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Vectors of about this number of bytes. */
export function vectors(bytes: number): object {
  const embedding = filled(bytes, -0.01234567890123456)
  return {
    ...{ object: 'list', data: [{ object: 'embedding', index: 0, embedding }], model: 'up' },
    usage: { prompt_tokens: 10, total_tokens: 10 },
  }
}
