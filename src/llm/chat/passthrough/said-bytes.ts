import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { objectsIn, textOf } from '../../values/values.ts'

/** What a message or a piece of it says, in bytes: its text, its reasoning and the input of its calls. */
export function bytesSaid(said: JsonObject): number {
  let bytes = bytesOf(said.content) + bytesOf(said.refusal)
  bytes += bytesOf(said.reasoning_content) || bytesOf(said.reasoning)
  for (const { function: called, custom } of objectsIn(said.tool_calls)) {
    if (isJsonObject(called)) bytes += bytesOf(called.arguments)
    else if (isJsonObject(custom)) bytes += bytesOf(custom.input)
  }
  return bytes
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return objectsIn(value).reduce((sum, part) => sum + Buffer.byteLength(textOf(part.text)), 0)
}
