import type { Dialect } from '@sluice/dialects/dialect-facts'
import type { BillingCase } from './billing-case.ts'

type Event = Record<string, unknown>

/** Reply of a case's vendor: one body, or the frames of a stream. */
export function replyOf(billingCase: BillingCase, form: 'whole' | 'stream'): string {
  const { vendor, end } = billingCase
  if (form === 'whole') return JSON.stringify(WHOLE[vendor](billingCase))
  const events = EVENTS[vendor](billingCase)
  const frames = events.map((event) => `${nameLine(event)}data: ${JSON.stringify(event)}\n\n`).join('')
  return vendor === 'chat' && end === undefined ? `${frames}data: [DONE]\n\n` : frames
}

/** The forms in which a case is tested. */
export function formsOf({ usages, whole, end }: BillingCase): readonly ('whole' | 'stream')[] {
  if (end !== undefined || (usages.length > 1 && whole === undefined)) return ['stream']
  return usages.length === 0 && whole !== undefined ? ['whole'] : ['whole', 'stream']
}

/** Text of every reply. */
export const TEXT = 'Hello, all of you.'

const nameLine = ({ type }: Event): string => (typeof type === 'string' ? `event: ${type}\n` : '')
const wholeUsage = ({ whole, usages }: BillingCase): object | undefined => whole ?? usages[0]

const WHOLE: Record<Dialect, (billingCase: BillingCase) => object> = {
  messages: (given) => ({
    ...message([{ type: 'text', text: TEXT }]),
    usage: wholeUsage(given),
    ...given.reply,
  }),
  chat: (given) => {
    const usage = wholeUsage(given)
    const message = { role: 'assistant', content: TEXT, ...given.message }
    const choice = { index: 0, message, finish_reason: 'stop' }
    return { ...chatHead('chat.completion'), ...placed(choice, usage, given), ...given.reply }
  },
  responses: (given) => response('completed', { usage: wholeUsage(given), ...given.reply }),
}

const EVENTS: Record<Dialect, (billingCase: BillingCase) => Event[]> = {
  messages: messagesEvents,
  chat: chatEvents,
  responses: responsesEvents,
}

function message(content: object[]) {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content }
  return { ...head, stop_reason: content.length === 0 ? null : 'end_turn', stop_sequence: null }
}

function messagesEvents({ usages, reply, end, repeatsStart }: BillingCase): Event[] {
  const [first = {}, ...later] = usages
  const start = later.length === 0 && 'output_tokens' in first ? { ...first, output_tokens: 1 } : first
  const begun = [
    { type: 'message_start', message: { ...message([]), ...reply, usage: start } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
  ]
  if (end === 'the client hangs up') return begun
  const deltas = (later.length === 0 ? [first] : later).map((usage, at, all) => ({
    type: 'message_delta',
    delta: { stop_reason: at === all.length - 1 ? 'end_turn' : null, stop_sequence: null },
    usage,
  }))
  const repeated = repeatsStart === true ? begun.slice(0, 1) : []
  const ended = [...begun, { type: 'content_block_stop', index: 0 }, ...deltas, ...repeated]
  return end === undefined ? [...ended, { type: 'message_stop' }] : ended
}

function chatHead(object: string) {
  return { id: 'chatcmpl-1', object, created: 1, model: 'c' }
}

/** A choice with the usage where the vendor has it. */
function placed(choice: object, usage: object | undefined, { place }: BillingCase): object {
  if (usage === undefined) return { choices: [choice] }
  if (place === 'choice') return { choices: [{ ...choice, usage }] }
  return { choices: [choice], ...(place === 'x_groq' ? { x_groq: { id: 'q', usage } } : { usage }) }
}

function chatEvents(given: BillingCase): Event[] {
  const { usages, reply, place, end, message: more } = given
  const chunk = (more: object) => ({ ...chatHead('chat.completion.chunk'), ...reply, ...more })
  const said = chunk({
    choices: [{ index: 0, delta: { role: 'assistant', content: TEXT, ...more }, finish_reason: null }],
  })
  const last = { index: 0, delta: {}, finish_reason: 'stop' }
  if (end === 'the client hangs up') return [said]
  if (end === 'the vendor breaks off') return [said, ...usages.map((usage) => chunk({ choices: [], usage }))]
  if (place !== undefined) return [said, chunk(placed(last, usages[0], given))]
  return [said, chunk({ choices: [last] }), ...usages.map((usage) => chunk({ choices: [], usage }))]
}

function response(status: string, more: object) {
  const part = { type: 'output_text', text: TEXT, annotations: [] }
  const item = { type: 'message', id: 'm1', role: 'assistant', status: 'completed', content: [part] }
  const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'r', status, error: null }
  return { ...head, output: status === 'in_progress' ? [] : [item], ...more }
}

function responsesEvents({ usages, reply, end }: BillingCase): Event[] {
  const place = { item_id: 'm1', output_index: 0, content_index: 0 }
  const item = { type: 'message', id: 'm1', role: 'assistant', status: 'in_progress', content: [] }
  const part = { type: 'output_text', text: TEXT, annotations: [] }
  const done = { ...item, status: 'completed', content: [part] }
  const begun = [
    { type: 'response.created', response: response('in_progress', { usage: null }) },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: TEXT },
  ]
  const status = Object(reply).status ?? 'completed'
  const ended = [
    { type: 'response.output_text.done', ...place, text: TEXT },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item: done },
    { type: `response.${status}`, response: response(status, { usage: usages[0], ...reply }) },
  ]
  const events = end === undefined ? [...begun, ...ended] : begun
  return events.map((event, at) => ({ ...event, sequence_number: at }))
}
