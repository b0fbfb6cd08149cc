import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { objectsIn } from '../../values/values.ts'

export function contentBytes(message: JsonObject): number {
  let bytes = bytesOf(message.content) + bytesOf(message.refusal)
  bytes += bytesOf(message.reasoning_content) || bytesOf(message.reasoning)
  for (const { function: called, custom } of objectsIn(message.tool_calls)) {
    if (isJsonObject(called)) bytes += bytesOf(called.arguments)
    else if (isJsonObject(custom)) bytes += bytesOf(custom.input)
  }
  return bytes + bytesOf(Object(message.function_call).arguments) + bytesOf(Object(message.audio).transcript)
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  // A few vendors show their thinking as a part with a list of texts of its own.
  return objectsIn(value).reduce((sum, { text, thinking }) => sum + bytesOf(text) + bytesOf(thinking), 0)
}
