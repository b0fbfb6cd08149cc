import { keepNumbers } from '../../llm/hub/keep-numbers.ts'
import { messagesPointElsewhere } from '../../llm/messages/points-elsewhere.ts'
import { referencesIn, resolveReferences } from '../../llm/responses/item-references.ts'
import { responsesPointElsewhere } from '../../llm/responses/points-elsewhere.ts'
import type { RecentItems } from './recent-items.ts'
import type { TextCommand } from './text-command.ts'

/** More than any conversation holds; what goes beyond counts as unknown. */
const REFERENCES_MAX = 1_000

/** Whether a request names things by their ids alone, which its vendor may not have. */
export function pointsElsewhere({ endpoint, body }: TextCommand): boolean {
  return endpoint === 'responses' ? responsesPointElsewhere(body.value) : messagesPointElsewhere(body.value)
}

/**
 * What the client only points to is put in its place, as far as we wrote it and know it. The rest stays: a vendor of the same
 * dialect may know it, and a conversion refuses it by name. At once for a request that points to nothing.
 */
export function resolveItems(
  command: TextCommand,
  recentItems: RecentItems,
): TextCommand | Promise<TextCommand> {
  if (command.endpoint !== 'responses') return command
  const { body, caller } = command
  const ids = referencesIn(body.value)
  if (ids.length === 0) return command
  return recentItems.find(caller.keyId, ids.slice(0, REFERENCES_MAX)).then((items) => {
    if (items.size === 0) return command
    const value = resolveReferences(keepNumbers(body.value, body.bytes), items)
    return { ...command, body: { bytes: Buffer.from(JSON.stringify(value)), value } }
  })
}
