import { countOf } from '../count/count-of.ts'
import { isJsonObject } from '../json/json-object.ts'

/** Hosted tools that cost nothing beside their tokens. */
const FREE: ReadonlySet<string> = new Set(['web_fetch_requests', 'tool_search_requests'])

const UNITS: ReadonlyMap<string, string> = new Map([
  ['web_search_requests', 'web_search_call'],
  ['code_execution_requests', 'code_session'],
])

/** Number of uses of each hosted tool in `server_tool_use`; undefined: none that costs anything. */
export function readToolCounts(counts: unknown): Record<string, number> | undefined {
  if (!isJsonObject(counts)) return undefined
  let found: Record<string, number> | undefined
  for (const [name, value] of Object.entries(counts)) {
    const count = countOf(value) ?? 0
    if (FREE.has(name) || count === 0) continue
    found ??= {}
    found[UNITS.get(name) ?? name.slice(0, NAME_LENGTH_MAX)] = count
  }
  return found
}

/** The name goes into the log and the usage row. */
const NAME_LENGTH_MAX = 64
