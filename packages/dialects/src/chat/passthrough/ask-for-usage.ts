import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { walkMembers } from '../../json/walk-members.ts'
import { type Edit, spliceBytes } from '../../passthrough/splice-bytes.ts'
import { asksForUsage } from '../read-request.ts'

/**
 * Adds the option for the usage at the end of a stream to a request: without it the cost of hidden reasoning is unknown.
 * `request` is the parsed request, at least its small members.
 */
export function withUsageOption(bytes: Buffer, request: JsonObject): Buffer {
  if (request.stream !== true || asksForUsage(request)) return bytes
  const opening = bytes.indexOf('{')
  if (request.stream_options === undefined) {
    const text = `"stream_options":${WANTED},`
    return spliceBytes(bytes, [{ start: opening + 1, end: opening + 1, text }])
  }
  const options = isJsonObject(request.stream_options) ? request.stream_options : {}
  const edits: Edit[] = []
  walkMembers(bytes.toString('latin1'), opening, (name, start, end) => {
    if (name !== 'stream_options') return false
    edits.push({ start, end, text: JSON.stringify({ ...options, include_usage: true }) })
    return true
  })
  return spliceBytes(bytes, edits)
}

const WANTED = '{"include_usage":true}'
