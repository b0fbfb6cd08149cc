import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { namesFile } from '../hub/names-file.ts'

/** Whether a request names what only its vendor keeps: an earlier item, a file, a prompt. It may be gone there. */
export function responsesPointElsewhere({ input, prompt }: JsonObject): boolean {
  return !isAbsent(prompt) || (Array.isArray(input) && input.some(namesItem)) || namesFile(input)
}

/** A vendor looks for whatever has an id of its own, save for reasoning that brings its content along. */
function namesItem(item: unknown): boolean {
  if (!isJsonObject(item) || typeof item.id !== 'string') return false
  return item.type !== 'reasoning' || isAbsent(item.encrypted_content)
}
