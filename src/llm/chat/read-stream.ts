import type { Emit, ReadReply, ReadStream, ReplyOrigin, StreamReader } from '../canonical/codec.ts'
import type { ReplyEvent, ReplyTokens } from '../canonical/reply-event.ts'
import { ChunkReader } from './chunk-reader.ts'
import { ReplyReading } from './reply-reading.ts'

/**
 * Reads a vendor's stream. Its end is a `finish_reason`; the usage comes after it, so the reply ends with `[DONE]` or,
 * where a vendor leaves that out, when it closes. A stream that says no `finish_reason` has failed.
 */
export const readChatStream: ReadStream = (origin, emit) => new ChatStreamReader(origin, emit)

class ChatStreamReader implements StreamReader {
  readonly #reading: ReplyReading
  readonly #chunks = new ChunkReader()

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#reading = new ReplyReading(origin, emit)
  }

  get tokens(): ReplyTokens | undefined {
    return this.#reading.tokens
  }

  frame(name: string | undefined, data: string): void {
    // Some vendors send empty events to keep the line open.
    if (data === '') return
    if (data.startsWith(DONE)) this.#reading.end()
    else this.#reading.take(this.#chunks.read(data), name === 'error')
  }

  close(): void {
    this.#reading.end()
  }
}

const DONE = '[DONE]'

/** A whole reply is a stream of one chunk. */
export const readChatReply: ReadReply = (body, origin) => {
  const events: ReplyEvent[] = []
  const reading = new ReplyReading(origin, (event) => events.push(event))
  reading.take(body)
  reading.end()
  return events
}
