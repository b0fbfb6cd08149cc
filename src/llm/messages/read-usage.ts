import type { TextTokens } from '../../domain/billing/cost-of-text.ts'
import { isJsonObject } from '../../domain/json-object.ts'
import type { ReplyTokens } from '../hub/reply-event.ts'

/**
 * The counts of one reply as they come in: those of the input with the start, the output's in the end. This dialect's
 * counts are disjoint already, and each new one stands for the whole message so far.
 */
export class UsageSoFar {
  #tokens: ReplyTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  #hasInput = false
  #hasOutput = false

  /** `isFinal`: the output is counted to its end. What a start says of it is only a beginning. */
  add(usage: unknown, { isFinal }: { isFinal: boolean }): void {
    if (!isJsonObject(usage)) return
    const tokens = this.#tokens
    if (isCount(usage.input_tokens)) {
      tokens.input = usage.input_tokens
      this.#hasInput = true
    }
    if (isCount(usage.cache_read_input_tokens)) tokens.cachedInput = usage.cache_read_input_tokens
    if (isCount(usage.cache_creation_input_tokens)) tokens.cacheWrite = usage.cache_creation_input_tokens
    if (isCount(usage.output_tokens)) {
      tokens.output = usage.output_tokens
      this.#hasOutput ||= isFinal
    }
    const { output_tokens_details: details } = usage
    if (isJsonObject(details) && isCount(details.thinking_tokens)) tokens.reasoning = details.thinking_tokens
  }

  get atStart(): TextTokens | undefined {
    if (!this.#hasInput) return undefined
    const { input, cachedInput, cacheWrite, output } = this.#tokens
    return { input, cachedInput, cacheWrite, output }
  }

  /** undefined: the vendor never said, and half a count would be charged as if it were whole. */
  get atEnd(): ReplyTokens | undefined {
    return this.#hasInput && this.#hasOutput ? { ...this.#tokens } : undefined
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
