import type { Answer } from '../answer.ts'
import type { Envelope } from '../dialect.ts'
import { usageObject } from './usage.ts'

export interface ResponseState {
  id: string
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  output: readonly object[]
  error?: object
}

/** The envelope, which repeats most of the request. */
export function responseObject(
  { end, usage }: Answer,
  { asked, body, createdAtSeconds, showsUsage }: Envelope,
  { id, status, output, error }: ResponseState,
): object {
  const reason = end.kind === 'length' ? 'max_output_tokens' : 'content_filter'
  const hasEnded = status === 'completed' || status === 'incomplete'
  return {
    id,
    object: 'response',
    created_at: createdAtSeconds,
    status,
    background: false,
    error: error ?? null,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: asked.model,
    output,
    parallel_tool_calls: asked.parallelCalls,
    previous_response_id: null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: hasEnded && showsUsage ? usageObject(usage) : null,
    user: null,
    metadata: body.metadata ?? {},
  }
}

export function statusOf({ end }: Answer): 'completed' | 'incomplete' {
  return end.kind === 'length' || end.kind === 'filter' ? 'incomplete' : 'completed'
}
