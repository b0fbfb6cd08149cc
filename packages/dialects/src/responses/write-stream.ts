import type { WriteReply, WriteStream } from '../canonical/codec.ts'
import { EventFrames } from './event-frames.ts'
import { ResponsesReplyWriter } from './reply-writer.ts'

export const writeResponsesStream: WriteStream = (head) => {
  const frames = new EventFrames()
  const reply = new ResponsesReplyWriter(head, frames)
  return {
    write(event) {
      reply.take(event)
      return frames.flush()
    },
    keepAlive() {
      reply.keepAlive()
      return frames.flush()
    },
    losses: reply.losses,
    items: reply.items,
    get isFull() {
      return reply.isFull
    },
  }
}

/** Writes the object that ends a stream of the same events. */
export const writeResponsesReply: WriteReply = (events, head) => {
  const reply = new ResponsesReplyWriter(head, undefined)
  for (const event of events) reply.take(event)
  return { body: reply.response, losses: reply.losses, items: reply.items }
}
