import { isJsonObject } from '../../domain/json-object.ts'
import type { ReadReply } from '../canonical/codec.ts'
import { type ReplyEvent, replyEnd } from '../canonical/reply-event.ts'
import { failureOfError } from '../failure-of-error.ts'
import { BlockReader } from './block-reader.ts'
import { readEndReason } from './read-stream.ts'
import { UsageSoFar } from './read-usage.ts'

/** A whole reply of this dialect: each of its blocks is a block of the stream that came at once. */
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
