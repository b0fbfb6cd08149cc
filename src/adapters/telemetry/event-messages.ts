import { pasteable, programName } from '../../config/program-name.ts'
import { LOG_EVENTS, type LogEvent } from '../../ports/log-events.ts'

const messages = new Map<LogEvent, string>()
let program: string | undefined

/** Message of a log event. Its commands use the name of this program, so that they can be pasted. */
export function messageOf(event: LogEvent): string {
  let message = messages.get(event)
  if (message === undefined) {
    program ??= programName()
    message = pasteable(LOG_EVENTS[event], program)
    messages.set(event, message)
  }
  return message
}
