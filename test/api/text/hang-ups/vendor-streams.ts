import type { ServerResponse } from 'node:http'
import type { Dialect } from '@sluice/dialects/dialect-facts'

/** The moments of a stream at which a client can leave, in order: each is when the vendor has sent its part. */
export const MOMENTS = [
  'before the head',
  'after the head',
  'after the first event without content',
  'after the first content',
  'in the middle',
  'after the last content',
  'after the usage',
] as const
export type Moment = (typeof MOMENTS)[number]

/** Three pieces of twelve bytes: three tokens each by our own count. */
const PIECES = ['Once upon a ', 'time there w', 'as a whale. '] as const
export const TEXT = PIECES.join('')

/** One event of a vendor's stream. */
export type Sent = Record<string, unknown>

const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const item = { type: 'message', id: 'msg_1', role: 'assistant' }
const part = { type: 'output_text', text: TEXT, annotations: [] }
const whole = { ...item, status: 'completed', content: [part] }
const envelope = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }

const textDelta = (text: string): Sent => ({
  ...{ type: 'content_block_delta', index: 0 },
  delta: { type: 'text_delta', text },
})
const outputDelta = (delta: string, sequence_number: number): Sent => ({
  ...{ type: 'response.output_text.delta', sequence_number, ...place },
  delta,
})
export const chunk = (delta: object, finish_reason: string | null = null): Sent => ({
  ...{ id: 'c_1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
})

/** Events of each dialect's vendor from the first moment to the end, with a usage of 100 in and 5 out. */
const STREAMS: Record<Dialect, { events: readonly (readonly Sent[])[]; end: readonly (Sent | '[DONE]')[] }> =
  {
    messages: {
      events: [
        [
          {
            type: 'message_start',
            message: {
              ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm' },
              usage: { input_tokens: 100, output_tokens: 1 },
            },
          },
        ],
        [
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          textDelta(PIECES[0]),
        ],
        [textDelta(PIECES[1])],
        [textDelta(PIECES[2]), { type: 'content_block_stop', index: 0 }],
        [
          {
            ...{ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
            usage: { output_tokens: 5 },
          },
        ],
      ],
      end: [{ type: 'message_stop' }],
    },
    responses: {
      events: [
        [
          {
            ...{ type: 'response.created', sequence_number: 0 },
            response: { ...envelope, status: 'in_progress', output: [], usage: null },
          },
        ],
        [
          {
            ...{ type: 'response.output_item.added', sequence_number: 1, output_index: 0 },
            item: { ...item, status: 'in_progress', content: [] },
          },
          {
            ...{ type: 'response.content_part.added', sequence_number: 2, ...place },
            part: { ...part, text: '' },
          },
          outputDelta(PIECES[0], 3),
        ],
        [outputDelta(PIECES[1], 4)],
        [
          outputDelta(PIECES[2], 5),
          { type: 'response.output_text.done', sequence_number: 6, ...place, text: TEXT },
          { type: 'response.content_part.done', sequence_number: 7, ...place, part },
          { type: 'response.output_item.done', sequence_number: 8, output_index: 0, item: whole },
        ],
      ],
      end: [
        {
          ...{ type: 'response.completed', sequence_number: 9 },
          response: {
            ...{ ...envelope, status: 'completed', output: [whole] },
            usage: { input_tokens: 100, output_tokens: 5, total_tokens: 105 },
          },
        },
      ],
    },
    chat: {
      events: [
        [chunk({ role: 'assistant', content: '' })],
        [chunk({ content: PIECES[0] })],
        [chunk({ content: PIECES[1] })],
        [chunk({ content: PIECES[2] }), chunk({}, 'stop')],
        [
          {
            ...chunk({}),
            choices: [],
            usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
          },
        ],
      ],
      end: ['[DONE]'],
    },
  }

/** Whether a vendor of this dialect sends anything at the moment: a responses vendor counts with its last event. */
export function hasMoment(dialect: Dialect, moment: Moment): boolean {
  return MOMENTS.indexOf(moment) < 2 + STREAMS[dialect].events.length
}

/** Sends all that a vendor has sent by the moment, and no more. */
export function sendUntil(reply: ServerResponse, dialect: Dialect, moment: Moment): void {
  if (moment === 'before the head') return
  const { events } = STREAMS[dialect]
  sendEvents(reply, dialect, events.slice(0, MOMENTS.indexOf(moment) - 1).flat())
}

/** The head and some events of a stream that goes on. */
export function sendEvents(reply: ServerResponse, dialect: Dialect, events: readonly Sent[]): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  for (const event of events) reply.write(frameOf(dialect, event))
}

/** A stream from its head to its end. */
export function sendAll(reply: ServerResponse, dialect: Dialect): void {
  sendUntil(reply, dialect, 'after the usage')
  for (const event of STREAMS[dialect].end) reply.write(frameOf(dialect, event))
  reply.end()
}

function frameOf(dialect: Dialect, event: Sent | '[DONE]'): string {
  if (event === '[DONE]') return 'data: [DONE]\n\n'
  const name = dialect === 'chat' ? '' : `event: ${event.type}\n`
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

/** Whole reply with the same content. */
export const WHOLE_REPLIES: Record<Dialect, string> = {
  messages: JSON.stringify({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    ...{ stop_sequence: null, content: [{ type: 'text', text: TEXT }] },
    usage: { input_tokens: 100, output_tokens: 5 },
  }),
  responses: JSON.stringify({
    ...{ ...envelope, status: 'completed', output: [whole] },
    usage: { input_tokens: 100, output_tokens: 5, total_tokens: 105 },
  }),
  chat: JSON.stringify({
    ...{ id: 'c_1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
  }),
}
