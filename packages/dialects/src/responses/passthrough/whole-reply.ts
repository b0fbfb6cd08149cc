import { isJsonObject, type JsonObject } from '../../json/json-object.ts'

/** Whether the vendor ended the response itself; it may have reached a limit or a filter. */
export function hasEndedWell(status: unknown): boolean {
  return status === 'completed' || status === 'incomplete'
}

/** The text of all its messages in one string: `output_text` in the contract. */
export function outputTextOf({ output }: JsonObject): string {
  let text = ''
  for (const item of itemsOf(output)) {
    if (item.type !== 'message') continue
    for (const part of itemsOf(item.content))
      if (part.type === 'output_text' && typeof part.text === 'string') text += part.text
  }
  return text
}

/** Bytes of the content of a whole response: its text, its reasoning and the input of its calls. */
export function responseBytes({ output }: JsonObject): number {
  let bytes = 0
  for (const item of itemsOf(output)) {
    bytes += bytesOf(item.arguments) + bytesOf(item.input)
    for (const part of itemsOf(item.content)) bytes += bytesOf(part.text) + bytesOf(part.refusal)
    for (const part of itemsOf(item.summary)) bytes += bytesOf(part.text)
  }
  return bytes
}

/** Bytes of the encrypted text in a compacted conversation. */
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
