import type { ReplyEvent } from '../hub/reply-event.ts'
import type { ReadReply } from '../hub/wire.ts'
import { ReplyReading } from './reply-reading.ts'

/** A whole reply is a stream of one chunk. */
export const readChatReply: ReadReply = (body, origin) => {
  const events: ReplyEvent[] = []
  const reading = new ReplyReading(origin, (event) => events.push(event))
  reading.take(body)
  reading.end()
  return events
}
