import type { Answer } from '../answer.ts'
import { sealOf } from '../behaviour/seal.ts'
import type { Envelope } from '../dialect.ts'
import { usageObject } from './response-object.ts'

/** Writes the user's messages unchanged, and the rest of the conversation as one sealed item. */
export function writeCompaction(
  { usage }: Answer,
  { asked, createdAtSeconds, newId, showsUsage }: Envelope,
): object {
  const said = asked.turns.map(({ prompt }) => prompt)
  const messages = asked.turns
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
