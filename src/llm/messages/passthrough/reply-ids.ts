import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { type IdListening, type IdsAsked, isId } from '../../passthrough/reply-ids.ts'
import { objectsIn } from '../../values/values.ts'

/** What a request may get ids of. */
export function idsAsked({ tools, thread, diagnostics }: JsonObject): IdsAsked {
  const runsCode = Array.isArray(tools) && tools.some(runsCodeThere)
  const isKept = isJsonObject(thread) || isJsonObject(diagnostics)
  return { reply: isKept, items: false, files: runsCode }
}

function runsCodeThere(tool: unknown): boolean {
  const { type } = Object(tool)
  return typeof type === 'string' && type.startsWith('code_execution')
}

/** The ids that a message gives, also one that has only begun, and what changed at its end. */
export function idsInMessage(
  { id, container, content }: JsonObject,
  { reply, files }: IdListening,
): string[] {
  const ids: unknown[] = reply ? [id] : []
  if (isJsonObject(container)) ids.push(container.id)
  if (files) for (const block of objectsIn(content)) for (const file of filesIn(block)) ids.push(file)
  return ids.filter(isId)
}

/** Of one block: the results of code that ran at the vendor's name the files it made. */
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
