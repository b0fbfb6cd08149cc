import { toolsIn } from '../canonical/tools-in.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import type { CallUnit } from '../tools/call-units.ts'

/** Number of calls of each hosted tool for which money is held when the request sets no bound. */
const CALLS_MAX = 16

/** A larger bound in a request counts as this one. */
const BOUND_MAX = 1_000_000

/** Price units by the prefix of a hosted tool's type, in every dialect. */
const UNITS: readonly (readonly [prefix: string, unit: CallUnit])[] = [
  ['web_search', 'web_search_call'],
  ['browser_search', 'web_search_call'],
  ['x_search', 'web_search_call'],
  ['openrouter:web_search', 'web_search_call'],
  ['file_search', 'file_search_call'],
  ['image_generation', 'image_generation_call'],
  ['code_interpreter', 'code_session'],
  ['code_execution', 'code_session'],
]

/** Maximum number of calls of hosted tools by price unit; undefined: the request has none. */
export function hostedCallsIn(
  body: Readonly<JsonObject>,
  endpoint: TextEndpoint,
): Record<string, number> | undefined {
  // The chat dialect asks for web search in a field of its own.
  let calls: Record<string, number> | undefined = isJsonObject(body.web_search_options)
    ? { web_search_call: CALLS_MAX }
    : undefined
  let sessions = 0
  let memory = 0
  for (const tool of toolsIn(body)) {
    if (!isJsonObject(tool) || typeof tool.type !== 'string') continue
    const unit = unitOf(tool)
    if (unit === undefined) continue
    calls ??= {}
    if (unit === 'code_session') {
      // All calls of one tool share a session; a session counts once for each GB of memory.
      sessions += 1
      memory = Math.max(memory, memoryOf(tool.container ?? tool.environment))
      calls[unit] = sessions * memory
    } else {
      // Only the bound of the client's dialect counts, because vendors ignore any other.
      const bound = boundOf(CLIENT_DIALECTS[endpoint].hostedCallBound(tool, body))
      calls[unit] = Math.max(calls[unit] ?? 0, bound)
    }
  }
  return calls
}

function unitOf({ type, environment }: JsonObject): CallUnit | undefined {
  // A shell runs at the vendor only in an environment that is not `local`.
  if (type === 'shell')
    return isJsonObject(environment) && environment.type !== 'local' ? 'code_session' : undefined
  return UNITS.find(([prefix]) => String(type).startsWith(prefix))?.[1]
}

function boundOf(bound: unknown): number {
  return Number.isFinite(bound) && Number(bound) >= 0
    ? Math.min(Math.ceil(Number(bound)), BOUND_MAX)
    : CALLS_MAX
}

const MEMORY_GB_MAX = 64

/** Memory in GB for which money is held: a container with an id or an unreadable limit counts as the largest. */
function memoryOf(container: unknown): number {
  if (typeof container === 'string') return MEMORY_GB_MAX
  if (!isJsonObject(container)) return 1
  const { memory_limit: limit, container_id: id } = container
  if (typeof id === 'string') return MEMORY_GB_MAX
  if (typeof limit !== 'string') return 1
  const found = /^(\d{1,4})g$/i.exec(limit)
  return found === null ? MEMORY_GB_MAX : Number(found[1])
}
