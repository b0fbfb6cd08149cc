import type { ModelReply } from '../answer.ts'
import { sealOf } from '../behaviour/seal.ts'
import type { Envelope } from '../dialect.ts'
import { usageObject } from './response-object.ts'

/** Writes the text of the user's messages, and the text of the whole conversation as one sealed item. */
export function writeCompaction(
  { usage }: ModelReply,
  { modelRequest, createdAtSeconds, newId, showsUsage }: Envelope,
): object {
  const said = modelRequest.turns.map(({ prompt }) => prompt)
  const messages = modelRequest.turns
    .filter(({ role, hasResults }) => role === 'user' && !hasResults)
    .map(({ prompt }) => ({
      ...{ id: newId('msg'), type: 'message', role: 'user', status: 'completed' },
      content: [{ type: 'input_text', text: prompt }],
    }))
  const encrypted_content = sealOf('compaction', said.join('\n'))
  return {
    id: newId('resp'),
    object: 'response.compaction',
    created_at: createdAtSeconds,
    output: [...messages, { id: newId('cmp'), type: 'compaction', encrypted_content }],
    usage: showsUsage ? usageObject(usage) : null,
  }
}
