import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'

/** What a whole message says, in bytes: its text, its thinking and the input of its calls. */
export function messageBytes({ content }: JsonObject): number {
  if (!Array.isArray(content)) return 0
  let bytes = 0
  for (const block of content) {
    if (!isJsonObject(block)) continue
    if (typeof block.text === 'string') bytes += Buffer.byteLength(block.text)
    else if (typeof block.thinking === 'string') bytes += Buffer.byteLength(block.thinking)
    else if (isJsonObject(block.input)) bytes += Buffer.byteLength(JSON.stringify(block.input))
  }
  return bytes
}
