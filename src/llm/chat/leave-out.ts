import type { ChatField } from '../../domain/catalog/chat-variant.ts'
import type { LossName } from '../hub/losses.ts'

/** Takes what this vendor refuses out of a request, and says what the client loses by it. */
export function leaveOut(
  body: Partial<Record<ChatField, unknown>>,
  fields: readonly ChatField[],
  losses: Set<LossName>,
): void {
  for (const field of fields) {
    if (body[field] === undefined) continue
    body[field] = undefined
    const loss = LOST[field]
    if (loss !== undefined) losses.add(loss)
  }
}

/** Without `stream_options` a vendor may tell no usage: the gateway then counts itself. */
const LOST: Readonly<Record<ChatField, LossName | undefined>> = {
  parallel_tool_calls: 'parallel_tool_calls',
  prompt_cache_key: 'cache_key',
  service_tier: 'service_tier',
  stream_options: undefined,
  user: 'metadata',
  verbosity: 'verbosity',
}
