import type { TextRequest } from '../hub/text-request.ts'
import { writeFormat } from './write-format.ts'
import { writeToolChoice, writeTools } from './write-tools.ts'

/** What every response object repeats of its request. Clients and schemas want each field there, if only as `null`. */
export function echoRequest(request: TextRequest): object {
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

/** A system turn that opens the conversation is where instructions went. */
function instructionsOf({ turns }: TextRequest): string | null {
  const first = turns[0]
  const part = first?.role === 'system' && first.parts.length === 1 ? first.parts[0] : undefined
  return part?.kind === 'text' ? part.text : null
}
