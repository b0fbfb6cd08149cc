import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { objectsIn, textOf } from '../../values/values.ts'

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
  return objectsIn(value).reduce((sum, part) => sum + Buffer.byteLength(textOf(part.text)), 0)
}
