import { findMember, namesFile, type ReferenceRules, type ReferencesFound } from '../canonical/references.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { isNil } from '../values/values.ts'

/**
 * Finds the references in a request of this dialect:
 *
 * - in the body: `container`, with its id and skills of the account, `thread.previous_message_id`,
 *   `diagnostics.previous_message_id`;
 * - in a block: `file_id` in a source, an upload, a citation, a result of code that ran at the vendor's;
 * - and every other member with the name of an id.
 */
export function referencesInMessages(body: JsonObject): ReferencesFound {
  const found: ReferencesFound = { named: [], dispensable: [] }
  for (const name in body) findMember(body, name, name === 'messages' ? IN_TURNS : RULES, found.named)
  return found
}

const RULES: ReferenceRules = {
  opaque: new Set(['metadata', 'input', 'input_schema', 'input_examples', 'schema']),
  isHarmless(name, { type }) {
    // The vendor's own skills are open to every organization.
    if (name === 'skill_id') return type === 'anthropic'
    return HARMLESS.has(name)
  },
}

/** The id of a tool call is harmless, but only in turns: elsewhere a client could call any reference a tool call. */
const IN_TURNS: ReferenceRules = {
  opaque: RULES.opaque,
  isHarmless(name, holder) {
    if (name === 'id') return typeof holder.type === 'string' && holder.type.endsWith('tool_use')
    return RULES.isHarmless(name, holder)
  },
}

const HARMLESS: ReadonlySet<string> = new Set(['tool_use_id', 'tool_id', 'tab_id', 'download_id'])

/** Whether a request names something that only its vendor keeps and may have deleted: a file, a container, a thread. */
export function messagesReferenceVendorState({ messages, container, thread }: JsonObject): boolean {
  return !isNil(container) || (isJsonObject(thread) && thread.type === 'continue') || namesFile(messages)
}
