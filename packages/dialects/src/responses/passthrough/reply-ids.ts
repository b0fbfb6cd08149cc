import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { type IdCollector, type IdsToCollect, isId } from '../../passthrough/reply-ids.ts'
import { objectsIn } from '../../values/values.ts'

/**
 * Kinds of ids that the reply to a request may have. A later request names the whole reply to the vendor only in
 * `prompt_cache_options.comparison_response_id`: its id is collected only for clients that send `prompt_cache_options`.
 */
export function idsToCollect({ prompt_cache_options: caching, store }: JsonObject): IdsToCollect {
  return { reply: isJsonObject(caching), items: store !== false, files: true }
}

/** The ids in a whole response, except in members that the model writes, such as the input of a client's tool. */
export function idsInResponse({ id, output }: JsonObject, { reply, items }: IdCollector): string[] {
  const ids: unknown[] = reply ? [id] : []
  for (const item of objectsIn(output)) {
    if (items || !SELF_CONTAINED.has(String(item.type))) ids.push(item.id)
    if (item.type === 'code_interpreter_call') ids.push(item.container_id)
    if (isJsonObject(item.environment)) ids.push(item.environment.container_id)
    if (item.type !== 'message') continue
    for (const part of objectsIn(item.content))
      for (const annotation of objectsIn(part.annotations))
        ids.push(annotation.file_id, annotation.container_id)
  }
  return ids.filter(isId)
}

/** Items with all their content: the vendor knows their ids only if it stores them. */
const SELF_CONTAINED: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
])
