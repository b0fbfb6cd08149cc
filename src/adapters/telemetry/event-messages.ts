import { pasteable, programName } from '../../config/program-name.ts'
import { LOG_EVENTS, type LogEvent } from '../../ports/log-events.ts'

const messages = new Map<LogEvent, string>()
let program: string | undefined

/** Returns the message of a log event, in which commands can be pasted. */
export function messageOf(event: LogEvent): string {
  let message = messages.get(event)
  if (message === undefined) {
    program ??= programName()
    message = pasteable(LOG_EVENTS[event], program)
    messages.set(event, message)
  }
  return message
}
