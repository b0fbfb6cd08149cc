import type { WriteReply } from '../hub/wire.ts'
import { ReplyWriting } from './reply-writing.ts'

/** The very object that ends a stream of the same events. */
export const writeResponsesReply: WriteReply = (events, head) => {
  const writing = new ReplyWriting(head, undefined)
  for (const event of events) writing.take(event)
  return { body: writing.response, losses: writing.losses }
}
