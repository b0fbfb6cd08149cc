import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { SUMMARY_MARK } from '../../canonical/summary-mark.ts'
import { isPackedKind } from '../wire.ts'

/** What the gateway's own compactions begin with, so that they can be told from those of vendors. */
export const COMPACTION_PREFIX = 'gwc1.'

/** Longer than a summary of any model is once it is encrypted. */
export const ENCRYPTED_LENGTH_MAX = 512 * 1024
/** A conversation has one, and some clients repeat earlier ones. */
export const COMPACTIONS_MAX = 16

/** A compaction that the gateway made, in a request. */
export interface OwnCompaction {
  /** Where it stands: `input.0.encrypted_content`. */
  param: string
  encrypted: string
}

/** At most one more than a request may have. What is too long to be one of ours is cut, so that it cannot be opened. */
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

/** undefined: the item is no compaction of the gateway. */
export function encryptedIn(item: unknown): string | undefined {
  if (!isJsonObject(item) || !isPackedKind(item.type)) return undefined
  const { encrypted_content: encrypted } = item
  return typeof encrypted === 'string' && encrypted.startsWith(COMPACTION_PREFIX) ? encrypted : undefined
}

/**
 * What a model is given in place of a compaction. The user says it: as an instruction the words of a web page in the
 * conversation would get a weight that they never had.
 */
export function summaryMessage(summary: string): JsonObject {
  const text = `${SUMMARY_MARK}\n${summary}`
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}
