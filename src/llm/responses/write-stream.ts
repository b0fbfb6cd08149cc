import type { WriteStream } from '../hub/wire.ts'
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
