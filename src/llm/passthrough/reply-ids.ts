import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'

/** Which ids of a reply a later request may name, and who is told of them. */
export interface IdListening {
  /** The reply's own id: the vendor keeps what it belongs to. */
  reply: boolean
  /** The ids of items that say all they mean: the vendor stores them. */
  items: boolean
  /** Files that code made at the vendor's. */
  files: boolean
  keep(ids: readonly string[]): void
}

/** What a request may get ids of. What it does not ask for is not looked for. */
export function idsWorthKeeping(
  dialect: 'messages' | 'responses',
  body: JsonObject,
): Pick<IdListening, 'reply' | 'items' | 'files'> {
  if (dialect === 'responses')
    return { reply: isJsonObject(body.prompt_cache_options), items: body.store !== false, files: true }
  const runsCode = Array.isArray(body.tools) && body.tools.some(runsCodeThere)
  const isKept = isJsonObject(body.thread) || isJsonObject(body.diagnostics)
  return { reply: isKept, items: false, files: runsCode }
}

function runsCodeThere(tool: unknown): boolean {
  const { type } = Object(tool)
  return typeof type === 'string' && type.startsWith('code_execution')
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

/** The same of a message, also of one that has only begun, and of what changed at its end. */
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

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Longer ones are no ids; a client that was given one could not send it back anyway. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 512
}
