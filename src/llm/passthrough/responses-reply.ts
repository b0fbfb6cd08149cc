import { isJsonObject, type JsonObject } from '../hub/json-object.ts'
import type { EndReason, ReplyTokens } from '../hub/reply-event.ts'

/** In the responses dialect the whole input includes what came from the cache or went into it: taken apart here. */
export function readResponsesTokens(usage: unknown): ReplyTokens | undefined {
  if (!isJsonObject(usage)) return undefined
  const inputDetails = isJsonObject(usage.input_tokens_details) ? usage.input_tokens_details : {}
  const outputDetails = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {}
  const input = countOf(usage.input_tokens)
  // No request is empty: a vendor that says so did not count.
  if (input === 0) return undefined
  const cachedInput = Math.min(countOf(inputDetails.cached_tokens), input)
  const cacheWrite = Math.min(countOf(inputDetails.cache_write_tokens), input - cachedInput)
  return {
    input: input - cachedInput - cacheWrite,
    cachedInput,
    cacheWrite,
    output: countOf(usage.output_tokens),
    reasoning: countOf(outputDetails.reasoning_tokens),
  }
}

/** How a response ended well; undefined while it has not. */
export function readResponseEnd({ status, incomplete_details, output }: JsonObject): EndReason | undefined {
  if (status === 'incomplete') {
    const reason = isJsonObject(incomplete_details) ? incomplete_details.reason : undefined
    return { kind: reason === 'content_filter' ? 'content-filter' : 'length' }
  }
  if (status !== 'completed') return undefined
  return { kind: itemsOf(output).some(isCall) ? 'tool-calls' : 'done' }
}

/** The text of all its messages in one string: what the contract calls `output_text`. */
export function outputTextOf({ output }: JsonObject): string {
  let text = ''
  for (const item of itemsOf(output)) {
    if (item.type !== 'message') continue
    for (const part of itemsOf(item.content))
      if (part.type === 'output_text' && typeof part.text === 'string') text += part.text
  }
  return text
}

/** What a whole response says, in bytes: its text, its reasoning and the input of its calls. */
export function responseBytes({ output }: JsonObject): number {
  let bytes = 0
  for (const item of itemsOf(output)) {
    bytes += bytesOf(item.arguments) + bytesOf(item.input)
    for (const part of itemsOf(item.content)) bytes += bytesOf(part.text) + bytesOf(part.refusal)
    for (const part of itemsOf(item.summary)) bytes += bytesOf(part.text)
  }
  return bytes
}

function isCall({ type }: JsonObject): boolean {
  return type === 'function_call' || type === 'custom_tool_call'
}

function itemsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function bytesOf(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
