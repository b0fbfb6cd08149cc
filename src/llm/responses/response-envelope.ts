import type { ReplyTokens } from '../hub/reply-event.ts'
import type { ReplyHead } from '../hub/wire.ts'
import { echoRequest } from './echo-request.ts'

/** What changes while a response is on its way. */
export interface Progress {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  output: readonly object[]
  /** Only at the end. */
  outputText: string | undefined
  tokens: ReplyTokens | undefined
  error: { code: string; message: string } | null
  incompleteReason: 'max_output_tokens' | 'content_filter' | undefined
}

/** The response object. What it repeats of the request is put together once, whatever the number of events with it. */
export class ResponseEnvelope {
  readonly #head: ReplyHead
  readonly #echo: object
  #echoJson: string | undefined

  constructor(head: ReplyHead) {
    this.#head = head
    this.#echo = echoRequest(head.request)
  }

  object(progress: Progress): object {
    return { ...this.#changing(progress), ...this.#echo }
  }

  json(progress: Progress): string {
    this.#echoJson ??= JSON.stringify(this.#echo).slice(1)
    return `${JSON.stringify(this.#changing(progress)).slice(0, -1)},${this.#echoJson}`
  }

  #changing({ status, output, outputText, tokens, error, incompleteReason }: Progress): object {
    const { id, createdAtSeconds, model } = this.#head
    return {
      id,
      object: 'response',
      created_at: createdAtSeconds,
      completed_at: status === 'completed' ? this.#head.nowSeconds() : null,
      status,
      error,
      incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
      model,
      output,
      ...(outputText === undefined ? {} : { output_text: outputText }),
      usage: tokens === undefined ? null : usageOf(tokens),
    }
  }
}

/** This wire counts what came from the cache among the input. */
function usageOf({ input, cachedInput, cacheWrite, output, reasoning }: ReplyTokens): object {
  const inputTokens = input + cachedInput + cacheWrite
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: inputTokens + output,
  }
}
