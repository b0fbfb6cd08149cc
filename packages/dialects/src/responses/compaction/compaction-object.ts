import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { textOf } from '../../values/values.ts'
import { outputTextOf } from '../passthrough/whole-reply.ts'
import { COMPACTION_OBJECT } from '../wire.ts'

/** Reads a summary and its usage. `cut`: the reply is not complete. `none`: it has no text, or is no object. */
export function readSummary(response: unknown): { summary: string; usage: unknown } | 'none' | 'cut' {
  if (!isJsonObject(response)) return 'none'
  if (response.status !== 'completed') return 'cut'
  const summary = textOf(response.output_text) || outputTextOf(response)
  return summary.trim() === '' ? 'none' : { summary, usage: response.usage }
}

/** Body of the answer to `POST /v1/responses/compact`. */
export function compactionObject(input: {
  messages: readonly JsonObject[]
  encrypted: string
  usage: unknown
  createdAtSeconds: number
  newId(prefix: 'resp' | 'msg' | 'cmp'): string
}): JsonObject {
  const { messages, encrypted, usage, createdAtSeconds, newId } = input
  const compaction = { id: newId('cmp'), type: 'compaction', encrypted_content: encrypted }
  return {
    id: newId('resp'),
    object: COMPACTION_OBJECT,
    created_at: createdAtSeconds,
    output: [...messages.map((message) => ({ id: newId('msg'), ...message })), compaction],
    usage,
  }
}
