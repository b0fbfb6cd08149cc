import { NO_CLIENT, type ReplySink } from '../relay/reply-sink.ts'
import type { Recording } from './recording.ts'

/** In the place of a client: what comes is only recorded. */
export function recordingSink(recording: Recording): ReplySink {
  return {
    ...NO_CLIENT,
    begin({ body }) {
      if (body !== undefined) recording.takeWhole(body)
    },
    write(bytes) {
      recording.take(bytes)
      return true
    },
  }
}
