import { isJsonObject, type JsonObject } from '../hub/json-object.ts'
import type { EndReason, ReplyTokens } from '../hub/reply-event.ts'

/**
 * Counts of the messages dialect are disjoint already. In a stream they come in pieces that say how much it is by now;
 * what a piece leaves out stays as it was.
 */
export function readMessagesTokens(
  usage: unknown,
  before: ReplyTokens | undefined = undefined,
): ReplyTokens | undefined {
  if (!isJsonObject(usage)) return before
  const details = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {}
  const tokens = {
    input: countOf(usage.input_tokens) ?? before?.input ?? 0,
    cachedInput: countOf(usage.cache_read_input_tokens) ?? before?.cachedInput ?? 0,
    cacheWrite: countOf(usage.cache_creation_input_tokens) ?? before?.cacheWrite ?? 0,
    output: countOf(usage.output_tokens) ?? before?.output ?? 0,
    reasoning: countOf(details.thinking_tokens) ?? before?.reasoning ?? 0,
  }
  // No request is empty: a vendor that says so did not count.
  return tokens.input + tokens.cachedInput + tokens.cacheWrite === 0 ? undefined : tokens
}

/** A reason nobody knows yet is an end all the same: the vendor said that it is one. */
export function readStopReason({ stop_reason, stop_sequence }: JsonObject): EndReason {
  switch (stop_reason) {
    case 'tool_use':
      return { kind: 'tool-calls' }
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { kind: 'length' }
    case 'refusal':
      return { kind: 'content-filter' }
    case 'stop_sequence':
      return typeof stop_sequence === 'string'
        ? { kind: 'stop-sequence', sequence: stop_sequence }
        : { kind: 'done' }
    default:
      return { kind: 'done' }
  }
}

/** What a whole message says, in bytes: its text, its thinking and the input of its calls. */
export function messageBytes({ content }: JsonObject): number {
  if (!Array.isArray(content)) return 0
  let bytes = 0
  for (const block of content) {
    if (!isJsonObject(block)) continue
    if (typeof block.text === 'string') bytes += Buffer.byteLength(block.text)
    else if (typeof block.thinking === 'string') bytes += Buffer.byteLength(block.thinking)
    else if (isJsonObject(block.input)) bytes += Buffer.byteLength(JSON.stringify(block.input))
  }
  return bytes
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
