import type { ModelReply, ReplyUsage } from '../answer.ts'
import type { Envelope } from '../dialect.ts'

export interface ResponseState {
  id: string
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  output: readonly object[]
  error?: object
}

/** The envelope, which repeats most of the request. */
export function responseObject(
  { end, usage }: ModelReply,
  { modelRequest, body, createdAtSeconds, showsUsage }: Envelope,
  { id, status, output, error }: ResponseState,
): object {
  const reason = end.kind === 'length' ? 'max_output_tokens' : 'content_filter'
  const hasEnded = status === 'completed' || status === 'incomplete'
  return {
    id,
    object: 'response',
    created_at: createdAtSeconds,
    completed_at: status === 'completed' ? createdAtSeconds : null,
    status,
    background: false,
    conversation: null,
    error: error ?? null,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: modelRequest.model,
    output,
    parallel_tool_calls: modelRequest.parallelCalls,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    previous_response_id: null,
    prompt: body.prompt ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    prompt_cache_retention: body.prompt_cache_retention ?? null,
    reasoning: { effort: null, summary: null, ...Object(body.reasoning) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' }, ...Object(body.text) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: Array.isArray(body.tools) ? body.tools.map(echoTool) : [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: hasEnded && showsUsage ? usageObject(usage) : null,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
    access_programs: null,
  }
}

/** The vendor repeats every member of a function, and adds defaults for `description`, `parameters` and `strict`. */
function echoTool(tool: unknown): unknown {
  const { type } = Object(tool)
  return type === 'function' ? { description: null, parameters: null, strict: true, ...Object(tool) } : tool
}

export function statusOf({ end }: ModelReply): 'completed' | 'incomplete' {
  return end.kind === 'length' || end.kind === 'filter' ? 'incomplete' : 'completed'
}

/** The Responses dialect counts cached tokens within `input_tokens`. */
export function usageObject({ input, cacheRead, cacheWrite, output, reasoning }: ReplyUsage): object {
  const all = input + cacheRead + cacheWrite
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: all + output,
  }
}
