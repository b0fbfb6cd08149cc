import type { ReadStream } from '../hub/wire.ts'
import { ChunkReader } from './chunk-reader.ts'
import { ReplyReading } from './reply-reading.ts'

/**
 * Reads a vendor's stream. Its end is a `finish_reason`; the usage comes after it, so the reply ends with `[DONE]` or,
 * where a vendor leaves that out, when it closes. A stream that says no `finish_reason` has failed.
 */
export const readChatStream: ReadStream = (origin, emit) => {
  const reading = new ReplyReading(origin, emit)
  const chunks = new ChunkReader()
  return {
    frame(name, data) {
      // Some vendors send empty events to keep the line open.
      if (data === '') return
      if (data.startsWith(DONE)) reading.end()
      else reading.take(chunks.read(data), name === 'error')
    },
    close() {
      reading.end()
    },
    get tokens() {
      return reading.tokens
    },
  }
}

const DONE = '[DONE]'
