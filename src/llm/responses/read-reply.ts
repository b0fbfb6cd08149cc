import { isJsonObject } from '../../domain/json-object.ts'
import type { ReplyEvent } from '../hub/reply-event.ts'
import type { ReadReply } from '../hub/wire.ts'
import { ReplyReading } from './reply-reading.ts'

/** A whole reply is a stream of which only the last event was sent. */
export const readResponsesReply: ReadReply = (body, origin) => {
  const events: ReplyEvent[] = []
  const reading = new ReplyReading(origin, (event) => events.push(event))
  if (!isJsonObject(body)) reading.break("the provider's reply is not a JSON object")
  else if (typeof body.status === 'string') reading.end(body.status, body)
  else if (isJsonObject(body.error)) reading.fail(body)
  else reading.break("the provider's reply does not say whether it is complete")
  return events
}
