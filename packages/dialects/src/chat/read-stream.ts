import type { Emit, ReadReply, ReadStream, ReplyOrigin, StreamReader } from '../canonical/codec.ts'
import type { ReplyEvent, ReplyTokens } from '../canonical/reply-event.ts'
import { ChunkReader, type TextPlace } from '../json/chunk-reader.ts'
import { isJsonObject } from '../json/json-object.ts'
import { ChatReplyReader } from './reply-reader.ts'

/**
 * Reads a vendor's stream. A `finish_reason` is its end, but the usage follows: so the reply ends with `[DONE]`, or when
 * a vendor without it closes the stream. A stream without a `finish_reason` has failed.
 */
export const readChatStream: ReadStream = (origin, emit) => new ChatStreamReader(origin, emit)

class ChatStreamReader implements StreamReader {
  readonly #reply: ChatReplyReader
  readonly #chunks = new ChunkReader(CHAT_TEXT)

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#reply = new ChatReplyReader(origin, emit)
  }

  get tokens(): ReplyTokens | undefined {
    return this.#reply.tokens
  }

  get vendorUsage(): unknown {
    return this.#reply.vendorUsage
  }

  get hasFinished(): boolean {
    return this.#reply.hasFinished
  }

  frame(name: string | undefined, data: string): void {
    // Some vendors send empty events to keep the connection open.
    if (data === '') return
    if (data.startsWith(DONE)) this.#reply.end()
    else this.#reply.take(this.#chunks.read(data), name === 'error')
  }

  close(): void {
    this.#reply.end()
  }
}

const DONE = '[DONE]'

/** The text of a chunk with one choice. */
export const CHAT_TEXT: TextPlace = {
  member: 'content',
  ignored: ['obfuscation'],
  holderIn({ choices }) {
    if (!Array.isArray(choices) || choices.length !== 1) return undefined
    const [choice]: unknown[] = choices
    return isJsonObject(choice) && isJsonObject(choice.delta) ? choice.delta : undefined
  },
}

/** A whole reply is a stream of one chunk. */
export const readChatReply: ReadReply = (body, origin) => {
  const events: ReplyEvent[] = []
  const reply = new ChatReplyReader(origin, (event) => events.push(event))
  reply.take(body)
  reply.end()
  return events
}
