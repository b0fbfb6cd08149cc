import type { ReplyTokens } from '../canonical/reply-event.ts'
import { type Surcharges, surchargedTier } from '../canonical/usage.ts'
import { countOf } from '../count/count-of.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** Reads the usage of a whole reply. Surcharges apply even where its vendor did not count. */
export function readTokens(response: JsonObject): ReplyTokens | undefined {
  const tokens = readCounts(response.usage)
  const surcharges = readSurcharges(response)
  if (surcharges === undefined) return tokens
  return { ...(tokens ?? UNCOUNTED), surcharges }
}

const UNCOUNTED: ReplyTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** This dialect counts cached tokens within the input: they are split here, so that nothing is paid for twice. */
export function readCounts(usage: unknown): ReplyTokens | undefined {
  if (!isJsonObject(usage)) return undefined
  const details = isJsonObject(usage.input_tokens_details) ? usage.input_tokens_details : {}
  const total = countOf(usage.input_tokens) ?? 0
  // A part is never more than the whole: otherwise more than the input would be charged.
  const cachedInput = Math.min(countOf(details.cached_tokens) ?? 0, total)
  const cacheWrite = Math.min(countOf(details.cache_write_tokens) ?? 0, total - cachedInput)
  const spent = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {}
  return {
    input: total - cachedInput - cacheWrite,
    cachedInput,
    cacheWrite,
    output: countOf(usage.output_tokens) ?? 0,
    reasoning: countOf(spent.reasoning_tokens) ?? 0,
  }
}

/** Reads the surcharges beside the counts; undefined in the usual case. */
function readSurcharges(response: JsonObject): Surcharges | undefined {
  const tier = surchargedTier(response.service_tier)
  const longCacheWrite = longCacheWriteOf(response.usage)
  const calls = callsOf(response)
  if (tier === undefined && longCacheWrite === 0 && calls === undefined) return undefined
  return {
    ...(tier === undefined ? {} : { tier }),
    ...(longCacheWrite === 0 ? {} : { longCacheWrite }),
    ...(calls === undefined ? {} : { calls }),
  }
}

/** Returns the cache writes that live longer than half an hour and cost more; 0 if the vendor reports no lifetimes. */
function longCacheWriteOf(usage: unknown): number {
  const details = isJsonObject(usage) ? usage.input_tokens_details : undefined
  if (!isJsonObject(details) || !isJsonObject(details.cache_write_tokens_details)) return 0
  const { ttl_30m_tokens: short } = details.cache_write_tokens_details
  return Math.max(0, (countOf(details.cache_write_tokens) ?? 0) - (countOf(short) ?? 0))
}

function callsOf(response: JsonObject): Record<string, number> | undefined {
  const items = Array.isArray(response.output) ? response.output.filter(isJsonObject) : []
  let calls: Record<string, number> | undefined
  const add = (name: string, count: number) => {
    if (count === 0) return
    calls ??= {}
    calls[name] = (calls[name] ?? 0) + count
  }
  const counted = searchesCounted(response)
  const containers = new Set<unknown>()
  for (const item of items) {
    const type = typeof item.type === 'string' ? item.type : ''
    if (type === 'web_search_call') add('web_search_call', counted === undefined && searched(item) ? 1 : 0)
    else if (PRICED.has(type)) add(type, 1)
    else if (type === 'code_interpreter_call') containers.add(item.container_id)
    else if (type === 'shell_call' && isHosted(item)) containers.add(containerOf(item))
    else if (type.endsWith('_call') && !FREE.has(type)) add(type.slice(0, NAME_LENGTH_MAX), 1)
  }
  add('web_search_call', counted ?? 0)
  if (containers.size > 0) add('code_session', containers.size * memoryOf(response.tools))
  return calls
}

/** The name goes into the log and the usage row. */
const NAME_LENGTH_MAX = 64

const PRICED: ReadonlySet<string> = new Set(['file_search_call', 'image_generation_call'])

/** The client runs these tools, or they cost nothing beside their tokens. */
const FREE: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'mcp_call',
  'tool_search_call',
])

/** The vendor's own count of billed searches. One vendor's searches of posts are seen only there. */
function searchesCounted({ tool_usage, usage }: JsonObject): number | undefined {
  const { num_requests: requests } = Object(Object(tool_usage).web_search)
  const { web_search_calls: web, x_search_calls: posts } = Object(
    Object(usage).server_side_tool_usage_details,
  )
  const counts = (typeof requests === 'number' ? [requests] : [web, posts]).filter(isNumber)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + (countOf(count) ?? 0), 0)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** Opening a page, or finding text in it, is not a search. */
function searched({ action }: JsonObject): boolean {
  return !isJsonObject(action) || (action.type !== 'open_page' && !String(action.type).startsWith('find'))
}

function isHosted({ environment }: JsonObject): boolean {
  return isJsonObject(environment) && environment.type === 'container_reference'
}

function containerOf({ environment }: JsonObject): unknown {
  return isJsonObject(environment) ? environment.container_id : undefined
}

/** Memory of the largest container of the tools, in GB; one with an id or an unreadable limit counts as 64. */
function memoryOf(tools: unknown): number {
  let memory = 1
  for (const tool of Array.isArray(tools) ? tools.filter(isJsonObject) : []) {
    const container = tool.container ?? tool.environment
    if (typeof container === 'string') memory = MEMORY_GB_MAX
    else if (isJsonObject(container)) memory = Math.max(memory, gigabytesOf(container))
  }
  return memory
}

const MEMORY_GB_MAX = 64

function gigabytesOf({ memory_limit: limit, container_id: id }: JsonObject): number {
  if (typeof id === 'string') return MEMORY_GB_MAX
  if (typeof limit !== 'string') return 1
  const found = /^(\d{1,4})g$/i.exec(limit)
  return found === null ? MEMORY_GB_MAX : Number(found[1])
}
