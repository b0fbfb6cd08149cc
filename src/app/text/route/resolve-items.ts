import { REFERENCES_MAX } from '../../../llm/canonical/references.ts'
import { CLIENT_DIALECTS } from '../../../llm/dialects.ts'
import { keepNumbers } from '../../../llm/values/keep-numbers.ts'
import { isHeavy, type TextCommand } from '../text-command.ts'
import type { RecentItems } from './recent-items.ts'

/** Whether a request names things by their ids alone, which its vendor may not have. */
export function pointsElsewhere(command: TextCommand): boolean {
  if (isHeavy(command)) return command.body.facts.pointsElsewhere
  return CLIENT_DIALECTS[command.endpoint].referencesVendorState(command.body.value)
}

/**
 * What the client only points to is put in its place, as far as we wrote it and know it. The rest stays: a vendor of the same
 * dialect may know it, and a conversion refuses it by name. At once for a request that points to nothing.
 */
export function resolveItems(
  command: TextCommand,
  recentItems: RecentItems,
): TextCommand | Promise<TextCommand> {
  const { items: stored } = CLIENT_DIALECTS[command.endpoint]
  if (stored === undefined) return command
  const ids = isHeavy(command) ? command.body.facts.itemReferences : stored.idsIn(command.body.value)
  if (ids.length === 0) return command
  return recentItems.find(command.caller, ids.slice(0, REFERENCES_MAX)).then((items) => {
    if (items.size === 0) return command
    if (isHeavy(command)) return { ...command, body: { ...command.body, items } }
    const { value, bytes } = command.body
    const resolved = stored.resolve(keepNumbers(value, bytes), items)
    return { ...command, body: { bytes: Buffer.from(JSON.stringify(resolved)), value: resolved } }
  })
}
