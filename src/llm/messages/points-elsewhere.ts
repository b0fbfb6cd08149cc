import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { namesFile } from '../hub/names-file.ts'

/** Whether a request names what only its vendor keeps: a file, a container, a thread. It may be gone there. */
export function messagesPointElsewhere({ messages, container, thread }: JsonObject): boolean {
  return !isAbsent(container) || (isJsonObject(thread) && thread.type === 'continue') || namesFile(messages)
}
