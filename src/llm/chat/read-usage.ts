import { isJsonObject } from '../../domain/json-object.ts'
import type { ReplyTokens } from '../canonical/reply-event.ts'
import { readToolCounts } from '../tools/read-tool-counts.ts'
import type { Unchecked } from '../values/values.ts'
import type { Usage } from './wire.ts'

/**
 * This wire counts cached input within its input; here every count stands for itself. undefined: nothing was counted.
 */
export function readUsage(usage: unknown): ReplyTokens | undefined {
  if (!isJsonObject(usage)) return undefined
  const prompt = countOf(usage.prompt_tokens)
  const completion = countOf(usage.completion_tokens)
  if (prompt === undefined && completion === undefined) return undefined
  const inputDetails = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  const total = prompt ?? 0
  const cachedInput = Math.min(cachedOf(usage, inputDetails), total)
  const cacheWrite = Math.min(countOf(inputDetails.cache_write_tokens) ?? 0, total - cachedInput)
  const tokens = { input: total - cachedInput - cacheWrite, cachedInput, cacheWrite, ...outputOf(usage) }
  const calls = callsOf(usage)
  return calls === undefined ? tokens : { ...tokens, surcharges: { calls } }
}

/** A vendor that searches by itself says how often, in one way or the other. */
function callsOf(usage: Unchecked<Usage>): Record<string, number> | undefined {
  const calls = readToolCounts(usage.server_tool_use)
  const searches = countOf(usage.num_search_queries) ?? 0
  if (searches === 0) return calls
  return { ...calls, web_search_call: Math.max(calls?.web_search_call ?? 0, searches) }
}

/** It has three names, and a vendor that knows more than one may leave one at zero. */
function cachedOf(usage: Unchecked<Usage>, details: Unchecked<Usage['prompt_tokens_details']>): number {
  const counts = [details.cached_tokens, usage.prompt_cache_hit_tokens, usage.cached_tokens]
  return Math.max(...counts.map((count) => countOf(count) ?? 0))
}

/** A few vendors leave reasoning out of the output; their total shows it. Anything else in a total is not charged. */
function outputOf(usage: Unchecked<Usage>): { output: number; reasoning: number } {
  const details = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {}
  const completion = countOf(usage.completion_tokens) ?? 0
  const reasoning = countOf(details.reasoning_tokens) ?? 0
  const isBeside = usage.total_tokens === (countOf(usage.prompt_tokens) ?? 0) + completion + reasoning
  const output = isBeside ? completion + reasoning : completion
  return { output, reasoning: Math.min(reasoning, output) }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined
}
