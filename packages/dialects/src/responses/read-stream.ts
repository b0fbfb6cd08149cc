import type { Emit, ReadReply, ReadStream, ReplyOrigin, StreamReader } from '../canonical/codec.ts'
import type { ReplyEvent, ReplyTokens } from '../canonical/reply-event.ts'
import { ChunkReader, type TextPlace } from '../json/chunk-reader.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { textOf } from '../values/values.ts'
import type { PieceKind } from './items/item-pieces.ts'
import { ResponsesReplyReader } from './reply-reader.ts'

/** Reads a vendor's stream. Events without content of the reply are skipped. */
export const readResponsesStream: ReadStream = (origin, emit) => new ResponsesStreamReader(origin, emit)

class ResponsesStreamReader implements StreamReader {
  readonly #reply: ResponsesReplyReader
  readonly #events = new ChunkReader(RESPONSES_TEXT)

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#reply = new ResponsesReplyReader(origin, emit)
  }

  get tokens(): ReplyTokens | undefined {
    return this.#reply.tokens
  }

  get vendorUsage(): unknown {
    return this.#reply.vendorUsage
  }

  get hasReasoning(): boolean {
    return this.#reply.hasReasoning
  }

  frame(name: string | undefined, data: string): void {
    const reply = this.#reply
    if (reply.hasEnded || data === '' || data === '[DONE]') return
    const event = this.#events.read(data)
    if (!isJsonObject(event)) reply.break('an event of the provider is not a JSON object')
    else EVENTS.get(typeof event.type === 'string' ? event.type : (name ?? ''))?.(reply, event)
  }

  close(): void {
    this.#reply.break('the provider ended its stream before the reply was complete')
  }
}

const RESPONSES_TEXT: TextPlace = {
  member: 'delta',
  holderIn: (event) => event,
  ignored: ['sequence_number', 'obfuscation'],
}

type Take = (reply: ResponsesReplyReader, event: JsonObject) => void

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
  ['response.output_text.annotation.added', (reply) => reply.addLoss('citations')],
  ['response.content_part.added', (reply, event) => reply.partAdded(event)],
  ['response.content_part.done', (reply, event) => reply.partDone(event)],
  ['response.reasoning_summary_part.done', (reply, event) => reply.partDone(event)],
  ['response.output_item.added', (reply, event) => reply.itemAdded(event)],
  ['response.output_item.done', (reply, event) => reply.itemDone(event)],
  ['response.created', (reply, event) => reply.start(event.response)],
  ['response.in_progress', (reply, event) => reply.start(event.response)],
  ['response.queued', (reply, event) => reply.start(event.response)],
  ['response.completed', (reply, event) => reply.end('completed', event.response)],
  ['response.incomplete', (reply, event) => reply.end('incomplete', event.response)],
  ['response.failed', (reply, event) => reply.end('failed', event.response)],
  ['response.cancelled', (reply, event) => reply.end('cancelled', event.response)],
  ['error', (reply, event) => reply.fail(event)],
])

function delta(kind: PieceKind): Take {
  return (reply, event) => reply.delta(event, kind, textOf(event.delta))
}

function done(kind: PieceKind, member: string): Take {
  return (reply, event) => reply.done(event, kind, textOf(event[member]))
}

/** A whole reply is a stream of its last event alone. */
export const readResponsesReply: ReadReply = (body, origin) => {
  const events: ReplyEvent[] = []
  const reply = new ResponsesReplyReader(origin, (event) => events.push(event))
  if (!isJsonObject(body)) reply.break("the provider's reply is not a JSON object")
  else if (typeof body.status === 'string') reply.end(body.status, body)
  else if (isJsonObject(body.error)) reply.fail(body)
  else reply.break("the provider's reply does not say whether it is complete")
  return events
}
