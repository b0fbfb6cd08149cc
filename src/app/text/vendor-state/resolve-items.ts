import { invalidParameter } from '@sluice/dialects/canonical/bad-parameter'
import { REFERENCES_MAX } from '@sluice/dialects/canonical/references'
import type { Compaction } from '@sluice/dialects/contract/dialect'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import type { JsonObject } from '@sluice/dialects/json/json-object'
import { COMPACTIONS_MAX } from '@sluice/dialects/responses/compaction/own-compactions'
import type { ReadHeavyBody } from '../contract/heavy-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { EncryptedSummaries } from './encrypted-summaries.ts'
import type { RecentItems } from './recent-items.ts'

interface ItemParts {
  recentItems: RecentItems
  summaries: EncryptedSummaries
  readHeavyBody: ReadHeavyBody
}

const NEVER = new AbortController().signal

/**
 * Replaces references by the items that the gateway wrote and still knows. Unknown references stay, because a vendor of
 * the same dialect may know them; a conversion answers with an error that names them. Compactions of the gateway are
 * decrypted for every vendor. Returns no promise for a request without references.
 */
export function resolveItems(command: TextCommand, parts: ItemParts): TextCommand | Promise<TextCommand> {
  const { recentItems, summaries, readHeavyBody } = parts
  const { items, compaction } = CLIENT_DIALECTS[command.endpoint]
  if (items === undefined) return command
  const ids = command.body.itemIds()
  const opened = openCompactions(command, compaction, summaries)
  if (ids.length === 0) return opened.size === 0 ? command : withItems(command, opened, readHeavyBody)
  return recentItems
    .find(command.caller, ids.slice(0, REFERENCES_MAX))
    .then((found) => withItems(command, new Map([...found, ...opened]), readHeavyBody))
}

/** Returns the summary behind each of the gateway's compactions. Throws an `ApiError` for one that cannot be decrypted. */
function openCompactions(
  command: TextCommand,
  compaction: Compaction | undefined,
  summaries: EncryptedSummaries,
): Map<string, JsonObject> {
  const opened = new Map<string, JsonObject>()
  if (compaction === undefined) return opened
  for (const [at, { param, encrypted }] of command.body.compactions().entries()) {
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

function withItems(
  command: TextCommand,
  items: Map<string, JsonObject>,
  readHeavyBody: ReadHeavyBody,
): TextCommand | Promise<TextCommand> {
  if (items.size === 0) return command
  const { endpoint, operation = 'create', caller, body } = command
  const { organizationId } = caller
  const resolved = body.withItems(items, (bytes) =>
    readHeavyBody({ bytes, organizationId, closed: NEVER }, { endpoint, operation }),
  )
  return resolved instanceof Promise
    ? resolved.then((read) => ({ ...command, body: read }))
    : { ...command, body: resolved }
}
