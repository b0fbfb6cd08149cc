import type { JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { type Fault, mayBeText, needText } from './fault.ts'

/** One part of a message, of a tool's output or of reasoning. An unknown kind of part passes. */
export function checkPart(part: JsonObject): Fault | undefined {
  const { type } = part
  if (typeof type !== 'string') {
    return { path: 'type', problem: isAbsent(type) ? undefined : 'must be a string' }
  }
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
    case 'reasoning_text':
      return needText(part, 'text')
    case 'refusal':
      return needText(part, 'refusal')
    case 'input_image':
      return oneOf(part, ['image_url', 'file_id']) ?? mayBeText(part, 'detail')
    case 'input_file':
      return oneOf(part, ['file_data', 'file_url', 'file_id']) ?? mayBeText(part, 'filename')
    default:
      return undefined
  }
}

/** A source may be told in several ways; the first is the one to ask for. */
function oneOf(part: JsonObject, names: readonly [string, ...string[]]): Fault | undefined {
  const given = names.find((name) => !isAbsent(part[name]))
  return given === undefined ? { path: names[0], problem: undefined } : mayBeText(part, given)
}
