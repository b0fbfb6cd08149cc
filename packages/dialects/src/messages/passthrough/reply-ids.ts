import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { type IdCollector, type IdsToCollect, isId } from '../../passthrough/reply-ids.ts'
import { objectsIn } from '../../values/values.ts'

/** Kinds of ids that the reply to a request may have. */
export function idsToCollect({ tools, thread, diagnostics }: JsonObject): IdsToCollect {
  const runsCode = Array.isArray(tools) && tools.some(runsCodeThere)
  const isKept = isJsonObject(thread) || isJsonObject(diagnostics)
  return { reply: isKept, items: false, files: runsCode }
}

function runsCodeThere(tool: unknown): boolean {
  const { type } = Object(tool)
  return typeof type === 'string' && type.startsWith('code_execution')
}

/** The ids in a whole message, in the message of `message_start`, or in the delta of `message_delta`. */
export function idsInMessage(
  { id, container, content }: JsonObject,
  { reply, files }: IdCollector,
): string[] {
  const ids: unknown[] = reply ? [id] : []
  if (isJsonObject(container)) ids.push(container.id)
  if (files) for (const block of objectsIn(content)) for (const file of filesIn(block)) ids.push(file)
  return ids.filter(isId)
}

/** The files in one block: results of code that ran at the vendor name the files it made. */
export function filesIn({ type, content }: JsonObject): string[] {
  if (!CODE_RESULTS.has(String(type)) || !isJsonObject(content)) return []
  return objectsIn(content.content)
    .map(({ file_id: id }) => id)
    .filter(isId)
}

const CODE_RESULTS: ReadonlySet<string> = new Set([
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
])
