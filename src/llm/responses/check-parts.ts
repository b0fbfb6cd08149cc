import type { JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { type Fault, mayBeText, needText } from './fault.ts'
import { isHttps } from './is-https.ts'

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
      return (
        oneOf(part, ['image_url', 'file_id']) ?? mayBeFetched(part, 'image_url') ?? mayBeText(part, 'detail')
      )
    case 'input_file':
      return (
        oneOf(part, ['file_data', 'file_url', 'file_id']) ??
        mayBeFetched(part, 'file_url') ??
        mayBeText(part, 'filename')
      )
    default:
      return undefined
  }
}

/** A source may be told in several ways; the first is the one to ask for. */
function oneOf(part: JsonObject, names: readonly [string, ...string[]]): Fault | undefined {
  const given = names.find((name) => !isAbsent(part[name]))
  return given === undefined ? { path: names[0], problem: undefined } : mayBeText(part, given)
}

/** Nothing is fetched in the clear, and nothing from where only a server can reach. */
function mayBeFetched(part: JsonObject, name: string): Fault | undefined {
  const url = part[name]
  if (typeof url !== 'string') return mayBeText(part, name)
  if (url === '' || isHttps(url) || url.slice(0, 5).toLowerCase() === 'data:') return undefined
  return { path: name, problem: 'must be an https or data: URL' }
}
