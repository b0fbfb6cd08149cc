import { SUMMARY_MARK } from '../../canonical/summary-mark.ts'
import type { OwnCompaction } from '../../contract/dialect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isPackedKind } from '../wire.ts'

/** Prefix of the gateway's own compactions, which tells them from those of vendors. */
export const COMPACTION_PREFIX = 'gwc1.'

/** Maximum length of an encrypted summary: more than any model writes. */
export const ENCRYPTED_LENGTH_MAX = 512 * 1024
/** Maximum number of compactions in a request: a conversation has one, and some clients repeat earlier ones. */
export const COMPACTIONS_MAX = 16

/** Finds the gateway's own compactions, up to one more than is allowed. A text that is too long for one is cut. */
export function ownCompactionsIn({ input }: JsonObject): OwnCompaction[] {
  const found: OwnCompaction[] = []
  if (!Array.isArray(input)) return found
  for (let at = 0; at < input.length && found.length <= COMPACTIONS_MAX; at += 1) {
    const encrypted = encryptedIn(input[at])
    if (encrypted !== undefined)
      found.push({
        param: `input.${at}.encrypted_content`,
        encrypted: encrypted.slice(0, ENCRYPTED_LENGTH_MAX),
      })
  }
  return found
}

/** undefined: the item is not a compaction of the gateway. */
export function encryptedIn(item: unknown): string | undefined {
  if (!isJsonObject(item) || !isPackedKind(item.type)) return undefined
  const { encrypted_content: encrypted } = item
  return typeof encrypted === 'string' && encrypted.startsWith(COMPACTION_PREFIX) ? encrypted : undefined
}

/**
 * The message that replaces a compaction for a model. The user is its speaker: as an instruction,
 * text that came from a web page would have more weight than in the conversation.
 */
export function summaryMessage(summary: string): JsonObject {
  const text = `${SUMMARY_MARK}\n${summary}`
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}
