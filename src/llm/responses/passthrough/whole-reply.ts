import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'

/** A response that reached a limit or a filter has ended as its vendor meant it to. */
export function hasEndedWell(status: unknown): boolean {
  return status === 'completed' || status === 'incomplete'
}

/** The text of all its messages in one string: what the contract calls `output_text`. */
export function outputTextOf({ output }: JsonObject): string {
  let text = ''
  for (const item of itemsOf(output)) {
    if (item.type !== 'message') continue
    for (const part of itemsOf(item.content))
      if (part.type === 'output_text' && typeof part.text === 'string') text += part.text
  }
  return text
}

/** What a whole response says, in bytes: its text, its reasoning and the input of its calls. */
export function responseBytes({ output }: JsonObject): number {
  let bytes = 0
  for (const item of itemsOf(output)) {
    bytes += bytesOf(item.arguments) + bytesOf(item.input)
    for (const part of itemsOf(item.content)) bytes += bytesOf(part.text) + bytesOf(part.refusal)
    for (const part of itemsOf(item.summary)) bytes += bytesOf(part.text)
  }
  return bytes
}

/** What a conversation in short holds of its model's words, in bytes: they are sealed. */
export function sealedBytes({ output }: JsonObject): number {
  let bytes = 0
  for (const item of itemsOf(output)) bytes += bytesOf(item.encrypted_content)
  return bytes
}

function itemsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function bytesOf(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0
}
