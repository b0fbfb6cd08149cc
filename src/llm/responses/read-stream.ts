import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { Emit, ReadReply, ReadStream, ReplyOrigin, StreamReader } from '../canonical/codec.ts'
import type { ReplyEvent, ReplyTokens } from '../canonical/reply-event.ts'
import { parseOrNone } from '../values/values.ts'
import type { PieceKind } from './item-pieces.ts'
import { ReplyReading } from './reply-reading.ts'
import { textOf } from './wire.ts'

/** Reads a vendor's stream. Events that say nothing about the reply's content are passed over. */
export const readResponsesStream: ReadStream = (origin, emit) => new ResponsesStreamReader(origin, emit)

class ResponsesStreamReader implements StreamReader {
  readonly #reading: ReplyReading

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#reading = new ReplyReading(origin, emit)
  }

  get tokens(): ReplyTokens | undefined {
    return this.#reading.tokens
  }

  get reasons(): boolean {
    return this.#reading.reasons
  }

  frame(name: string | undefined, data: string): void {
    const reading = this.#reading
    if (reading.hasEnded || data === '' || data === '[DONE]') return
    const event = parseOrNone(data)
    if (!isJsonObject(event)) reading.break('an event of the provider is not a JSON object')
    else EVENTS.get(typeof event.type === 'string' ? event.type : (name ?? ''))?.(reading, event)
  }

  close(): void {
    this.#reading.break('the provider ended its stream before the reply was complete')
  }
}

type Take = (reading: ReplyReading, event: JsonObject) => void

const EVENTS: ReadonlyMap<string, Take> = new Map([
  ['response.output_text.delta', delta('text')],
  ['response.refusal.delta', delta('refusal')],
  ['response.function_call_arguments.delta', delta('json-call')],
  ['response.custom_tool_call_input.delta', delta('text-call')],
  ['response.reasoning_summary_text.delta', delta('summary')],
  ['response.reasoning_text.delta', delta('thought')],
  ['response.output_text.done', done('text', 'text')],
  ['response.refusal.done', done('refusal', 'refusal')],
  ['response.function_call_arguments.done', done('json-call', 'arguments')],
  ['response.custom_tool_call_input.done', done('text-call', 'input')],
  ['response.reasoning_summary_text.done', done('summary', 'text')],
  ['response.reasoning_text.done', done('thought', 'text')],
  ['response.output_text.annotation.added', (reading) => reading.lose('citations')],
  ['response.content_part.added', (reading, event) => reading.partAdded(event)],
  ['response.content_part.done', (reading, event) => reading.partDone(event)],
  ['response.reasoning_summary_part.done', (reading, event) => reading.partDone(event)],
  ['response.output_item.added', (reading, event) => reading.itemAdded(event)],
  ['response.output_item.done', (reading, event) => reading.itemDone(event)],
  ['response.created', (reading, event) => reading.start(event.response)],
  ['response.in_progress', (reading, event) => reading.start(event.response)],
  ['response.queued', (reading, event) => reading.start(event.response)],
  ['response.completed', (reading, event) => reading.end('completed', event.response)],
  ['response.incomplete', (reading, event) => reading.end('incomplete', event.response)],
  ['response.failed', (reading, event) => reading.end('failed', event.response)],
  ['response.cancelled', (reading, event) => reading.end('cancelled', event.response)],
  ['error', (reading, event) => reading.fail(event)],
])

function delta(kind: PieceKind): Take {
  return (reading, event) => reading.delta(event, kind, textOf(event.delta))
}

function done(kind: PieceKind, member: string): Take {
  return (reading, event) => reading.done(event, kind, textOf(event[member]))
}

/** A whole reply is a stream of which only the last event was sent. */
export const readResponsesReply: ReadReply = (body, origin) => {
  const events: ReplyEvent[] = []
  const reading = new ReplyReading(origin, (event) => events.push(event))
  if (!isJsonObject(body)) reading.break("the provider's reply is not a JSON object")
  else if (typeof body.status === 'string') reading.end(body.status, body)
  else if (isJsonObject(body.error)) reading.fail(body)
  else reading.break("the provider's reply does not say whether it is complete")
  return events
}
