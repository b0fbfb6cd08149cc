import type { CallUnit } from '../../domain/catalog/price-row.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'

/** A request that sets no bound may use each of its hosted tools so often, as far as money is set aside for it. */
const CALLS_MAX = 16

/** More than any organization can pay for. */
const BOUND_MAX = 1_000_000

/** How the types of hosted tools begin, in both dialects. */
const UNITS: readonly (readonly [prefix: string, unit: CallUnit])[] = [
  ['web_search', 'web_search_call'],
  ['file_search', 'file_search_call'],
  ['image_generation', 'image_generation_call'],
  ['code_interpreter', 'code_session'],
  ['code_execution', 'code_session'],
]

/** How often a request may have its hosted tools used, by price unit; undefined: it has none. */
export function hostedCallsIn(body: Readonly<JsonObject>): Record<string, number> | undefined {
  if (!Array.isArray(body.tools)) return undefined
  let calls: Record<string, number> | undefined
  for (const tool of body.tools) {
    if (!isJsonObject(tool) || typeof tool.type !== 'string') continue
    const { type } = tool
    const unit = UNITS.find(([prefix]) => type.startsWith(prefix))?.[1]
    if (unit === undefined) continue
    calls ??= {}
    // A session is one for all its calls, and a large one counts for each GB.
    const count = unit === 'code_session' ? memoryOf(tool) : boundOf(tool.max_uses ?? body.max_tool_calls)
    calls[unit] = Math.max(calls[unit] ?? 0, count)
  }
  return calls
}

function boundOf(bound: unknown): number {
  return Number.isFinite(bound) && Number(bound) >= 0
    ? Math.min(Math.ceil(Number(bound)), BOUND_MAX)
    : CALLS_MAX
}

function memoryOf({ container }: JsonObject): number {
  const limit = isJsonObject(container) ? String(container.memory_limit ?? '1g') : '1g'
  const gigabytes = Number.parseInt(limit, 10)
  return Number.isSafeInteger(gigabytes) && gigabytes > 0 ? Math.min(gigabytes, 64) : 64
}
