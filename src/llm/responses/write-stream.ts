import type { WriteReply, WriteStream } from '../canonical/codec.ts'
import { EventFrames } from './event-frames.ts'
import { ReplyWriting } from './reply-writing.ts'

export const writeResponsesStream: WriteStream = (head) => {
  const frames = new EventFrames()
  const writing = new ReplyWriting(head, frames)
  return {
    write(event) {
      writing.take(event)
      return frames.flush()
    },
    keepAlive() {
      writing.keepAlive()
      return frames.flush()
    },
    losses: writing.losses,
    items: writing.items,
  }
}

/** The very object that ends a stream of the same events. */
export const writeResponsesReply: WriteReply = (events, head) => {
  const writing = new ReplyWriting(head, undefined)
  for (const event of events) writing.take(event)
  return { body: writing.response, losses: writing.losses }
}
