import { findMember, type ReferenceRules, type ReferencesFound } from '../canonical/references.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { objectsIn } from '../values/values.ts'

/**
 * Finds the references in a request of this dialect: `file.file_id` in a part, `audio.id` of an earlier answer, and every
 * other member with the name of an id. Ids of calls and reasoning join parts of the request itself.
 */
export function referencesInChat(body: JsonObject): ReferencesFound {
  const found: ReferencesFound = { named: [], dispensable: [] }
  for (const name in body) findMember(body, name, name === 'messages' ? IN_MESSAGES : RULES, found.named)
  return found
}

const OPAQUE: ReadonlySet<string> = new Set([
  ...['metadata', 'parameters', 'schema', 'logit_bias', 'extra_content', 'reasoning_details'],
])

const RULES: ReferenceRules = { opaque: OPAQUE, isHarmless: () => false }

const IN_MESSAGES: ReferenceRules = {
  opaque: OPAQUE,
  isHarmless(name, holder) {
    if (name === 'tool_call_id') return true
    return name === 'id' && (isJsonObject(holder.function) || isJsonObject(holder.custom))
  },
}

/** Whether a request names something that its vendor keeps and may have deleted: a file, or audio of an answer. */
export function chatReferencesVendorState({ messages }: JsonObject): boolean {
  return objectsIn(messages).some(
    ({ content, audio }) =>
      isJsonObject(audio) || objectsIn(content).some(({ file }) => typeof Object(file).file_id === 'string'),
  )
}
