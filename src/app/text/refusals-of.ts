import type { TextRoute } from './choose-route.ts'
import { pointsElsewhere } from './resolve-items.ts'
import type { TextCommand } from './text-command.ts'
import type { RefusalContext } from './vendor-refusal.ts'

/**
 * How a vendor's refusal is to be read. On a conversion nothing points elsewhere: what a request only names is refused
 * before.
 */
export function refusalsOf({ provider, upstream }: TextRoute, command: TextCommand): RefusalContext {
  const { hides } = provider
  if (upstream.dialect !== command.endpoint) return { hides }
  return { hides, native: command.endpoint, mayPointNowhere: () => pointsElsewhere(command) }
}
