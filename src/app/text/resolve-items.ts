import { referencesIn, resolveReferences } from '../../llm/responses/item-references.ts'
import type { RecentItems } from './recent-items.ts'
import type { TextCommand } from './text-command.ts'

/** More than any conversation holds; what goes beyond counts as unknown. */
const REFERENCES_MAX = 1_000

/**
 * A conversion needs the words themselves: what the client only points to is put in their place, as far as it is known.
 * The rest stays, and its reader refuses it by name. At once for a request that points to nothing.
 */
export function resolveItems(
  command: TextCommand,
  recentItems: RecentItems,
): TextCommand | Promise<TextCommand> {
  if (command.endpoint !== 'responses') return command
  const { body, caller } = command
  const ids = referencesIn(body.value)
  if (ids.length === 0) return command
  return recentItems.find(caller.keyId, ids.slice(0, REFERENCES_MAX)).then((items) => ({
    ...command,
    body: { bytes: body.bytes, value: resolveReferences(body.value, items) },
  }))
}
