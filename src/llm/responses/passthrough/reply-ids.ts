import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { type IdListening, type IdsAsked, isId } from '../../passthrough/reply-ids.ts'
import { objectsIn } from '../../values/values.ts'

/** What a request may get ids of. */
export function idsAsked({ prompt_cache_options: caching, store }: JsonObject): IdsAsked {
  return { reply: isJsonObject(caching), items: store !== false, files: true }
}

/**
 * The ids that a whole response gives. Only where the vendor itself puts them: what a tool of the client's is called with
 * may say anything.
 */
export function idsInResponse({ id, output }: JsonObject, { reply, items }: IdListening): string[] {
  const ids: unknown[] = reply ? [id] : []
  for (const item of objectsIn(output)) {
    if (items || !SAYS_ALL.has(String(item.type))) ids.push(item.id)
    if (item.type === 'code_interpreter_call') ids.push(item.container_id)
    if (isJsonObject(item.environment)) ids.push(item.environment.container_id)
    if (item.type !== 'message') continue
    for (const part of objectsIn(item.content))
      for (const annotation of objectsIn(part.annotations))
        ids.push(annotation.file_id, annotation.container_id)
  }
  return ids.filter(isId)
}

/** The kinds that nearly every reply has: without being stored they mean nothing to the vendor. */
const SAYS_ALL: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call'])
