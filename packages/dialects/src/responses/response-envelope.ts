import type { ReplyHead } from '../canonical/codec.ts'
import type { ReplyTokens } from '../canonical/reply-event.ts'
import type { TextRequest } from '../canonical/request.ts'
import type { ResponseEcho, ResponseProgress, ResponsesUsage } from './wire.ts'
import { writeFormat, writeToolChoice, writeTools } from './write-tools.ts'

/** Members of a response that change during the reply. */
export interface ReplyProgress {
  status: ResponseProgress['status']
  output: ResponseProgress['output']
  /** Empty until the end. */
  outputText: string
  tokens: ReplyTokens | undefined
  error: ResponseProgress['error']
  incompleteReason: 'max_output_tokens' | 'content_filter' | undefined
}

/** Builds the response object. Its copy of the request is built once and used in every event. */
export class ResponseEnvelope {
  readonly #head: ReplyHead
  readonly #echo: ResponseEcho
  #echoJson: string | undefined

  constructor(head: ReplyHead) {
    this.#head = head
    this.#echo = echoRequest(head.request)
  }

  object(progress: ReplyProgress): ResponseProgress & ResponseEcho {
    return { ...this.#changing(progress), ...this.#echo }
  }

  json(progress: ReplyProgress): string {
    this.#echoJson ??= JSON.stringify(this.#echo).slice(1)
    return `${JSON.stringify(this.#changing(progress)).slice(0, -1)},${this.#echoJson}`
  }

  #changing({
    status,
    output,
    outputText,
    tokens,
    error,
    incompleteReason,
  }: ReplyProgress): ResponseProgress {
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
      output_text: outputText,
      usage: tokens === undefined ? null : usageOf(tokens),
    }
  }
}

/** This dialect counts cache reads and cache writes within the input. */
function usageOf({ input, cachedInput, cacheWrite, output, reasoning }: ReplyTokens): ResponsesUsage {
  const inputTokens = input + cachedInput + cacheWrite
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: inputTokens + output,
  }
}

/** Fields of the request that every response object repeats. Clients and schemas need each field, if only as `null`. */
function echoRequest(request: TextRequest): ResponseEcho {
  return {
    instructions: instructionsOf(request),
    tools: writeTools(request.tools),
    tool_choice:
      request.toolChoice === undefined ? 'auto' : writeToolChoice(request.toolChoice, request.tools),
    parallel_tool_calls: request.parallelToolCalls ?? true,
    max_output_tokens: request.maxOutputTokens ?? null,
    max_tool_calls: null,
    temperature: request.temperature ?? 1,
    top_p: request.topP ?? 1,
    top_logprobs: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    reasoning: {
      effort: request.reasoning?.effort ?? null,
      summary: request.reasoning?.summary ?? null,
    },
    text: {
      format: request.format === undefined ? { type: 'text' } : writeFormat(request.format, new Set()),
      verbosity: request.verbosity ?? 'medium',
    },
    metadata: request.metadata ?? {},
    safety_identifier: request.userId ?? null,
    user: null,
    prompt_cache_key: request.cacheKey ?? null,
    service_tier: request.serviceTier ?? 'default',
    previous_response_id: null,
    truncation: 'disabled',
    background: false,
    store: false,
    access_programs: null,
  }
}

/** Text of a first system turn: the `instructions`, or without them a system message that begins `input`. */
function instructionsOf({ turns }: TextRequest): string | null {
  const first = turns[0]
  const part = first?.role === 'system' && first.parts.length === 1 ? first.parts[0] : undefined
  return part?.kind === 'text' ? part.text : null
}
