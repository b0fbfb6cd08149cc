import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { type Edit, spliceBytes } from '../../passthrough/splice-bytes.ts'
import { walkMembers } from '../../passthrough/walk-members.ts'
import { asksForUsage } from '../read-request.ts'

/**
 * The same request, asking for the usage at the end of its stream: without it the cost of what a model only thinks is
 * unknown. `asked` is the request, at least its small members.
 */
export function withUsageAsked(bytes: Buffer, asked: JsonObject): Buffer {
  if (asked.stream !== true || asksForUsage(asked)) return bytes
  const opening = bytes.indexOf('{')
  if (asked.stream_options === undefined) {
    const text = `"stream_options":${WANTED},`
    return spliceBytes(bytes, [{ start: opening + 1, end: opening + 1, text }])
  }
  const options = isJsonObject(asked.stream_options) ? asked.stream_options : {}
  const edits: Edit[] = []
  walkMembers(bytes.toString('latin1'), opening, (name, start, end) => {
    if (name !== 'stream_options') return false
    edits.push({ start, end, text: JSON.stringify({ ...options, include_usage: true }) })
    return true
  })
  return spliceBytes(bytes, edits)
}

const WANTED = '{"include_usage":true}'
