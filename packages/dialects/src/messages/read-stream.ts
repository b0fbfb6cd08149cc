import type { Emit, ReadReply, ReadStream, ReplyOrigin, StreamReader } from '../canonical/codec.ts'
import {
  type EndReason,
  type ReplyEvent,
  type ReplyTokens,
  replyEnd,
  type StreamError,
} from '../canonical/reply-event.ts'
import { failureOfError } from '../errors/failure-of-error.ts'
import { ChunkReader, type TextPlace } from '../json/chunk-reader.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { keepNumbers } from '../values/keep-numbers.ts'
import { BlockReader, readEndReason } from './block-reader.ts'
import { UsageSoFar } from './read-usage.ts'

/** Reads a vendor's stream of this dialect. Only `message_stop` ends it well, and only after a stop reason. */
export const readMessagesStream: ReadStream = (origin, emit) => new MessagesStreamReader(origin, emit)

/** before -message_start-> started -message_stop-> over; any fault or error leads to over. */
class MessagesStreamReader implements StreamReader {
  #phase: 'before' | 'started' | 'over' = 'before'
  #id: unknown
  #reason: EndReason | undefined
  readonly #usage = new UsageSoFar()
  readonly #chunks = new ChunkReader(MESSAGES_TEXT)
  readonly #blocks: BlockReader
  readonly #origin: ReplyOrigin
  readonly #emit: Emit

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#origin = origin
    this.#emit = emit
    this.#blocks = new BlockReader(origin, emit)
  }

  /** `message_delta`, sent just before `message_stop`, has the final count; a stream cut after it is charged by that count. */
  get tokens(): ReplyTokens | undefined {
    return this.#usage.complete
  }

  get vendorUsage(): unknown {
    return this.#usage.vendorUsage
  }

  get hasFinished(): boolean {
    return this.#reason !== undefined
  }

  frame(name: string | undefined, data: string): void {
    if (this.#phase === 'over') return
    const event = this.#chunks.read(data)
    const fault = isJsonObject(event)
      ? this.#take(String(name ?? event.type), event, data)
      : faultOf(name, event)
    if (fault !== undefined) this.#break(fault)
  }

  close(): void {
    if (this.#phase !== 'over') this.#break('The provider closed the stream before its end.')
  }

  /** Takes an event; returns the fault, if the event is wrong at this point. */
  #take(name: string, event: JsonObject, data: string): string | undefined {
    if (name === 'error') {
      this.#fail(failureOfError(event, this.#origin))
      return undefined
    }
    if (!isKnown(name)) return undefined
    if (name === 'message_start' && this.#phase !== 'before')
      return this.#isRepeated(event.message) ? undefined : outOfPlace(name)
    if (name !== 'message_start' && this.#phase === 'before') return outOfPlace(name)
    switch (name) {
      case 'content_block_delta':
        return this.#blocks.delta(event.delta, event.index) ? undefined : outOfPlace(name)
      case 'content_block_start': {
        if (this.#reason !== undefined) return outOfPlace(name)
        // Some vendors send the whole input of a call here.
        const { content_block: block, index } = keepNumbers(event, data)
        return this.#blocks.open(block, index) ? undefined : outOfPlace(name)
      }
      case 'content_block_stop':
        return this.#blocks.close(event.index) ? undefined : outOfPlace(name)
      case 'message_start':
        return this.#start(event.message)
      case 'message_delta':
        return this.#takeReason(event)
      default:
        return this.#stop()
    }
  }

  #start(message: unknown): string | undefined {
    if (!isJsonObject(message)) return 'The provider sent a message_start without a message.'
    this.#usage.add(message.usage, { isFinal: false })
    this.#usage.addContainer(message.container)
    this.#phase = 'started'
    this.#id = message.id
    this.#emit({ kind: 'reply-start', tokens: this.#usage.atStart })
    return undefined
  }

  /** Some vendors send the start of a message twice, and SDKs accept it. Another message may not begin here. */
  #isRepeated(message: unknown): boolean {
    return isJsonObject(message) && typeof message.id === 'string' && message.id === this.#id
  }

  /** The event may come more than once; the last reason counts. */
  #takeReason({ delta, usage }: JsonObject): string | undefined {
    if (this.#blocks.isOpen) return outOfPlace('message_delta')
    this.#usage.add(usage, { isFinal: true })
    if (isJsonObject(delta)) {
      this.#usage.addContainer(delta.container)
      this.#reason = readEndReason(delta.stop_reason, delta.stop_sequence) ?? this.#reason
    }
    return undefined
  }

  #stop(): string | undefined {
    if (this.#blocks.isOpen || this.#reason === undefined) return outOfPlace('message_stop')
    this.#phase = 'over'
    this.#emit(replyEnd(this.#reason, this.#usage.atEnd, this.#blocks.losses))
    return undefined
  }

  #break(message: string): void {
    this.#fail({ kind: 'broken', message })
  }

  #fail(failure: StreamError): void {
    this.#phase = 'over'
    this.#emit({ kind: 'reply-failed', failure })
  }
}

const MESSAGES_TEXT: TextPlace = {
  member: 'text',
  holderIn: ({ delta }) => (isJsonObject(delta) ? delta : undefined),
}

/** Events that are read; pings and unknown events have nothing to pass on. */
const KNOWN: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
])

function isKnown(name: string): boolean {
  return KNOWN.has(name)
}

/** The fault of data that is not an object. An unknown event may have any JSON. */
function faultOf(name: string | undefined, data: unknown): string | undefined {
  if (data === undefined) return 'The provider sent an event that is not valid JSON.'
  return name === undefined || isKnown(name) ? 'The provider sent an event that is not an object.' : undefined
}

function outOfPlace(name: string): string {
  return `The provider broke the order of its stream at ${name}.`
}

/** Reads a whole reply of this dialect: each block is treated as opened and closed in one step. */
export const readMessagesReply: ReadReply = (body, origin) => {
  if (isJsonObject(body) && body.type === 'error') {
    return [{ kind: 'reply-failed', failure: failureOfError(body, origin) }]
  }
  if (!isJsonObject(body) || !Array.isArray(body.content)) return [broken('The provider sent no message.')]
  const events: ReplyEvent[] = []
  const usage = new UsageSoFar()
  usage.add(body.usage, { isFinal: true })
  usage.addContainer(body.container)
  events.push({ kind: 'reply-start', tokens: usage.atStart })
  const blocks = new BlockReader(origin, (event) => events.push(event))
  for (const [index, block] of body.content.entries()) {
    if (!blocks.open(block, index) || !blocks.close(index)) {
      return [...events, broken('The provider sent a block that cannot be read.')]
    }
  }
  const reason = readEndReason(body.stop_reason, body.stop_sequence)
  if (reason === undefined) return [...events, broken('The provider gave no reason why the message ended.')]
  return [...events, replyEnd(reason, usage.atEnd, blocks.losses)]
}

function broken(message: string): ReplyEvent {
  return { kind: 'reply-failed', failure: { kind: 'broken', message } }
}
