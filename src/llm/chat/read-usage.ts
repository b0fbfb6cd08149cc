import { isJsonObject } from '../../domain/json-object.ts'
import type { ReplyTokens } from '../hub/reply-event.ts'

/**
 * This wire counts cached input within its input; here every count stands for itself. undefined: nothing was counted.
 */
export function readUsage(usage: unknown): ReplyTokens | undefined {
  if (!isJsonObject(usage)) return undefined
  const prompt = countOf(usage.prompt_tokens)
  const completion = countOf(usage.completion_tokens)
  if (prompt === undefined && completion === undefined) return undefined
  const inputDetails = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  const outputDetails = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {}
  const total = prompt ?? 0
  const cachedInput = Math.min(
    countOf(inputDetails.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens) ?? 0,
    total,
  )
  const cacheWrite = Math.min(countOf(inputDetails.cache_write_tokens) ?? 0, total - cachedInput)
  const reasoning = countOf(outputDetails.reasoning_tokens) ?? 0
  const output = wholeOutput({
    prompt: total,
    completion: completion ?? 0,
    reasoning,
    total: usage.total_tokens,
  })
  return {
    input: total - cachedInput - cacheWrite,
    cachedInput,
    cacheWrite,
    output,
    reasoning: Math.min(reasoning, output),
  }
}

/** A few vendors leave reasoning out of the output; their total tells. */
function wholeOutput(counts: {
  prompt: number
  completion: number
  reasoning: number
  total: unknown
}): number {
  const { prompt, completion, reasoning, total } = counts
  return total === prompt + completion + reasoning ? completion + reasoning : completion
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined
}
