import type { DispensableField } from '../../domain/catalog/chat-variant.ts'
import type { LossName } from '../hub/losses.ts'

/** Takes what this vendor refuses out of a request, and says what the client loses by it. */
export function leaveOut(
  body: Partial<Record<DispensableField, unknown>>,
  fields: readonly DispensableField[],
  losses: Set<LossName>,
): void {
  for (const field of fields) {
    const wish = body[field]
    body[field] = undefined
    const loss = LOST[field]
    if (loss !== undefined && wish !== undefined && wish !== DEFAULTS[field]) losses.add(loss)
  }
}

/** What every vendor does anyway: a client that asks for it loses nothing. */
const DEFAULTS: Partial<Record<DispensableField, unknown>> = {
  parallel_tool_calls: true,
  verbosity: 'medium',
}

/** Without `stream_options` a vendor may tell no usage: the gateway then counts itself. */
const LOST: Readonly<Record<DispensableField, LossName | undefined>> = {
  parallel_tool_calls: 'parallel_tool_calls',
  prompt_cache_key: 'cache_key',
  service_tier: 'service_tier',
  stream_options: undefined,
  user: 'metadata',
  verbosity: 'verbosity',
}
