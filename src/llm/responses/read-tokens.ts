import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { ReplyTokens } from '../canonical/reply-event.ts'
import { readSurcharges } from './read-surcharges.ts'

/** What a reply used, of the whole reply. Where its vendor did not count, what made it dearer still stands. */
export function readTokens(response: JsonObject): ReplyTokens | undefined {
  const tokens = readCounts(response.usage)
  const surcharges = readSurcharges(response)
  if (surcharges === undefined) return tokens
  return { ...(tokens ?? UNCOUNTED), surcharges }
}

const UNCOUNTED: ReplyTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** This wire counts cached tokens among the input: taken apart here, so that nothing is paid for twice. */
export function readCounts(usage: unknown): ReplyTokens | undefined {
  if (!isJsonObject(usage)) return undefined
  const details = isJsonObject(usage.input_tokens_details) ? usage.input_tokens_details : {}
  const total = countOf(usage.input_tokens)
  // A part is never more than the whole: otherwise more would be paid for than went in.
  const cachedInput = Math.min(countOf(details.cached_tokens), total)
  const cacheWrite = Math.min(countOf(details.cache_write_tokens), total - cachedInput)
  const spent = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {}
  return {
    input: total - cachedInput - cacheWrite,
    cachedInput,
    cacheWrite,
    output: countOf(usage.output_tokens),
    reasoning: countOf(spent.reasoning_tokens),
  }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}
