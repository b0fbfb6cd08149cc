import type { ReplyTokens } from '../canonical/reply-event.ts'
import { surchargedTier } from '../canonical/usage.ts'
import { dateCacheWrites, splitCacheWrites } from '../count/cache-writes.ts'
import { countOf } from '../count/count-of.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { readToolCounts } from '../tools/read-tool-counts.ts'
import { objectsIn, type Unchecked } from '../values/values.ts'
import type { ChatUsage } from './wire.ts'

/** The counts of one reply, whole or in chunks. Where every chunk has a count, the last one covers the reply so far. */
export class ChatCount {
  tokens: ReplyTokens | undefined
  /** The vendor's own object behind the last count. */
  vendorUsage: unknown
  #tier: string | undefined
  readonly #searches = new Set<unknown>()
  readonly #hasMany: boolean

  /** `hasMany`: the reply has several choices. A count inside one choice is for that choice alone, and is ignored. */
  constructor({ hasMany }: { hasMany: boolean }) {
    this.#hasMany = hasMany
  }

  /** Every chunk may report the tier, most often before the count. Returns whether the chunk changed the count. */
  add(chunk: JsonObject): boolean {
    this.#findSearches(chunk)
    const counted = this.#usageIn(chunk)
    this.#tier = surchargedTier(chunk.service_tier ?? Object(counted).service_tier) ?? this.#tier
    const read = readUsage(counted)
    if (read === undefined) return false
    const tokens = this.tokens === undefined ? read : later(this.tokens, read)
    if (tokens === this.tokens) return false
    this.tokens = this.#inTier(tokens)
    this.vendorUsage = counted
    return true
  }

  /** A vendor may report its tier after its count, or without one. */
  get atEnd(): ReplyTokens | undefined {
    const { tokens } = this
    const { calls } = tokens?.surcharges ?? {}
    const inTier = this.#tier === undefined ? tokens : this.#inTier(tokens ?? UNCOUNTED)
    if (this.#searches.size === 0 || calls?.web_search_call !== undefined) return inTier
    const known = inTier ?? UNCOUNTED
    const found = { ...calls, web_search_call: this.#searches.size }
    return { ...known, surcharges: { ...known.surcharges, calls: found } }
  }

  /** Some vendors leave searches out of the usage. A list of tools shows each search; a citation shows at least one. */
  #findSearches({ choices }: JsonObject): void {
    if (!Array.isArray(choices)) return
    for (const choice of choices) {
      const { annotations, executed_tools: tools } = Object(Object(choice).delta ?? Object(choice).message)
      if (Array.isArray(tools))
        for (const [at, tool] of objectsIn(tools).entries())
          if (/search|browser/.test(String(tool.type))) this.#searches.add(tool.index ?? at)
      if (this.#searches.size === 0 && objectsIn(annotations).some(({ type }) => type === 'url_citation'))
        this.#searches.add(0)
    }
  }

  /** A few vendors put the usage elsewhere, one of them into the choice. */
  #usageIn({ usage, x_groq: beside, choices }: JsonObject): unknown {
    if (isJsonObject(usage)) return usage
    const inChoice = !this.#hasMany && Array.isArray(choices) ? Object(choices[0]).usage : undefined
    return Object(beside).usage ?? inChoice
  }

  #inTier(tokens: ReplyTokens): ReplyTokens {
    if (this.#tier === undefined) return tokens
    return { ...tokens, surcharges: { ...tokens.surcharges, tier: this.#tier } }
  }
}

const UNCOUNTED: ReplyTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** A few vendors end with a zero count of the input, the output or both: the earlier count stays. */
function later(before: ReplyTokens, now: ReplyTokens): ReplyTokens {
  const hasInput = now.input + now.cachedInput + now.cacheWrite > 0
  const hasOutput = now.output > 0
  if (hasInput && hasOutput) return now
  if (!hasInput && !hasOutput) return before
  const [counted, rest] = hasInput ? [now, before] : [before, now]
  const { output, reasoning } = rest
  const surcharges = { ...before.surcharges, ...now.surcharges }
  return { ...counted, output, reasoning, ...(isEmpty(surcharges) ? {} : { surcharges }) }
}

function isEmpty(surcharges: object): boolean {
  return Object.keys(surcharges).length === 0
}

/**
 * Reads a usage object. This dialect counts cached and written input within its input; the counts here are disjoint.
 * undefined: nothing was counted.
 */
export function readUsage(usage: unknown): ReplyTokens | undefined {
  if (!isJsonObject(usage)) return undefined
  const prompt = countOf(usage.prompt_tokens)
  const completion = countOf(usage.completion_tokens)
  if (prompt === undefined && completion === undefined) return undefined
  const details = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  const cached = largestOf(CACHED, usage, details)
  const total = largestOf(WRITTEN, usage, details)
  const split = splitCacheWrites(writtenParts(usage, details), total)
  const written = split === undefined ? total : split.short + split.long
  const parts = splitInput(usage, { prompt: prompt ?? 0, completion: completion ?? 0, cached, written })
  const dated = split === undefined ? undefined : dateCacheWrites(parts.cacheWrite, split)
  const calls = callsOf(usage)
  const tokens = { ...parts, ...outputOf(usage) }
  if (dated === undefined && calls === undefined) return tokens
  return { ...tokens, surcharges: { ...dated, ...(calls === undefined ? {} : { calls }) } }
}

/** Names of the count of cached input. A vendor that has more than one may leave one at zero. */
const CACHED: CountNames = {
  beside: ['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens'],
  within: ['cached_tokens'],
}
const WRITTEN: CountNames = {
  beside: ['cache_creation_input_tokens', 'prompt_cache_write_tokens'],
  within: [
    'cache_write_tokens',
    'cache_creation_tokens',
    'cache_creation_input_tokens',
    'cached_creation_tokens',
  ],
}

interface CountNames {
  /** Members of the usage itself. */
  beside: readonly string[]
  /** Members of the details of the prompt. */
  within: readonly string[]
}

function largestOf({ beside, within }: CountNames, usage: JsonObject, details: JsonObject): number {
  let largest = 0
  for (const name of beside) largest = Math.max(largest, countOf(usage[name]) ?? 0)
  for (const name of within) largest = Math.max(largest, countOf(details[name]) ?? 0)
  return largest
}

/** Cache writes by lifetime, under each of the names that relays have for them. */
function writtenParts(usage: JsonObject, details: JsonObject): unknown {
  const { claude_cache_creation_5_m_tokens: short, claude_cache_creation_1_h_tokens: long } = usage
  const named = details.cache_creation_token_details ?? details.cache_creation ?? usage.cache_creation
  return named ?? { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long }
}

/**
 * Splits the input into disjoint counts. A few relays count cached tokens outside the prompt, like the messages dialect:
 * the total shows it, or a part that is larger than the prompt. Without these signs each part is limited to the prompt.
 */
function splitInput(
  { total_tokens: total, cache_read_input_tokens: read }: Unchecked<ChatUsage>,
  { prompt, completion, cached, written }: Record<'prompt' | 'completion' | 'cached' | 'written', number>,
): Pick<ReplyTokens, 'input' | 'cachedInput' | 'cacheWrite'> {
  const isAllBeside = total === prompt + completion + cached + written || (countOf(read) ?? 0) > prompt
  if (isAllBeside && cached + written > 0) return { input: prompt, cachedInput: cached, cacheWrite: written }
  const cachedInput = Math.min(cached, prompt)
  const room = prompt - cachedInput
  const isBeside = written > prompt || (written > room && cached <= prompt)
  const cacheWrite = isBeside ? written : Math.min(written, room)
  return { input: isBeside ? room : room - cacheWrite, cachedInput, cacheWrite }
}

/** A vendor that searches by itself reports the number of searches in one of two members. */
function callsOf(usage: Unchecked<ChatUsage>): Record<string, number> | undefined {
  const calls = readToolCounts(usage.server_tool_use)
  const searches = countOf(usage.num_search_queries) ?? 0
  if (searches === 0) return calls
  return { ...calls, web_search_call: Math.max(calls?.web_search_call ?? 0, searches) }
}

/** A few vendors leave reasoning out of the output; their total shows it. Anything else in a total is not charged. */
function outputOf(usage: Unchecked<ChatUsage>): { output: number; reasoning: number } {
  const details = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {}
  const completion = countOf(usage.completion_tokens) ?? 0
  const reasoning = countOf(details.reasoning_tokens) ?? 0
  const isBeside = usage.total_tokens === (countOf(usage.prompt_tokens) ?? 0) + completion + reasoning
  const output = isBeside ? completion + reasoning : completion
  return { output, reasoning: Math.min(reasoning, output) }
}
