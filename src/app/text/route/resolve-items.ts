import { LIGHT_BYTES_MAX } from '../../../domain/json/parse-json.ts'
import type { JsonObject } from '../../../domain/json-object.ts'
import { invalidParameter } from '../../../llm/canonical/bad-parameter.ts'
import type { Compaction, StoredItems } from '../../../llm/canonical/dialect.ts'
import { REFERENCES_MAX } from '../../../llm/canonical/references.ts'
import { CLIENT_DIALECTS } from '../../../llm/dialects.ts'
import { COMPACTIONS_MAX } from '../../../llm/responses/compaction/own-compactions.ts'
import { keepNumbers } from '../../../llm/values/keep-numbers.ts'
import type { EncryptedSummaries } from '../plan/encrypted-summaries.ts'
import type { ReadHeavyBody } from '../plan/heavy-body.ts'
import { isHeavy, type TextCommand } from '../text-command.ts'
import type { RecentItems } from './recent-items.ts'

interface ItemParts {
  recentItems: RecentItems
  summaries: EncryptedSummaries
  readHeavyBody: ReadHeavyBody
}

const NEVER = new AbortController().signal

/** Whether a request names things by their ids alone, which its vendor may not have. */
export function pointsElsewhere(command: TextCommand): boolean {
  if (isHeavy(command)) return command.body.facts.pointsElsewhere
  return CLIENT_DIALECTS[command.endpoint].referencesVendorState(command.body.value)
}

/**
 * Replaces references by the items that the gateway wrote and still knows. The rest stays: a vendor of the same dialect may
 * know it, and a conversion refuses it by name. Compactions of the gateway are opened for every vendor. Returns at once for
 * a request without references.
 */
export function resolveItems(
  command: TextCommand,
  { recentItems, summaries, readHeavyBody }: ItemParts,
): TextCommand | Promise<TextCommand> {
  const { items: stored, compaction } = CLIENT_DIALECTS[command.endpoint]
  if (stored === undefined) return command
  const ids = isHeavy(command) ? command.body.facts.itemReferences : stored.idsIn(command.body.value)
  const opened = openCompactions(command, compaction, summaries)
  if (ids.length === 0) return opened.size === 0 ? command : withItems(command, stored, opened, readHeavyBody)
  return recentItems
    .find(command.caller, ids.slice(0, REFERENCES_MAX))
    .then((found) => withItems(command, stored, new Map([...found, ...opened]), readHeavyBody))
}

/** Returns the summary behind each of the gateway's compactions. Throws an `ApiError` for one that cannot be opened. */
function openCompactions(
  command: TextCommand,
  compaction: Compaction | undefined,
  summaries: EncryptedSummaries,
): Map<string, JsonObject> {
  const opened = new Map<string, JsonObject>()
  if (compaction === undefined) return opened
  const found = isHeavy(command)
    ? command.body.facts.compactions
    : compaction.compactionsIn(command.body.value)
  for (const [at, { param, encrypted }] of found.entries()) {
    const summary =
      at < COMPACTIONS_MAX ? summaries.decrypt(command.caller.organizationId, encrypted) : undefined
    if (summary === undefined) throw invalidParameter(param, at < COMPACTIONS_MAX ? NOT_OURS : TOO_MANY)
    opened.set(encrypted, compaction.opened(summary))
  }
  return opened
}

const NOT_OURS =
  'cannot be read: it was changed, or was not made for your organization. Send the messages that it stands for instead'
const TOO_MANY = 'is one compaction too many: send the latest one'

/** A request of a hundred bytes may refer to a megabyte: a long result is read on another thread. */
function withItems(
  command: TextCommand,
  stored: StoredItems,
  items: Map<string, JsonObject>,
  readHeavyBody: ReadHeavyBody,
): TextCommand | Promise<TextCommand> {
  if (items.size === 0) return command
  if (isHeavy(command)) return { ...command, body: { ...command.body, items } }
  const { value, bytes } = command.body
  const resolved = stored.resolve(keepNumbers(value, bytes), items)
  const resolvedBytes = Buffer.from(JSON.stringify(resolved))
  if (resolvedBytes.length <= LIGHT_BYTES_MAX)
    return { ...command, body: { bytes: resolvedBytes, value: resolved } }
  const { endpoint, operation, caller } = command
  const heavy = { bytes: resolvedBytes, organizationId: caller.organizationId, closed: NEVER }
  return readHeavyBody(heavy, { endpoint, operation: operation ?? 'create' }).then((body) => ({
    ...command,
    body,
  }))
}
