import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { asksForNothing } from '../field-policies.ts'

/** What a request asks for beyond its reply. */
export interface Keeping {
  /** The reply can be read again, and continued from. */
  isStored: boolean
  /** The reply goes on after its client has left. */
  isBackground: boolean
  /** The reply that this request goes on from. */
  previousId: string | undefined
}

/** undefined for a request that asks for none of it: most do not, unless replies are kept by default. */
export function keepingOf(
  { store, background, previous_response_id: previous }: JsonObject,
  keepsByDefault: boolean,
): Keeping | undefined {
  const isBackground = background === true
  const previousId = asksForNothing(previous) ? undefined : String(previous)
  const isStored = isBackground || (keepsByDefault ? store !== false : store === true)
  return isStored || previousId !== undefined ? { isStored, isBackground, previousId } : undefined
}

/** The response object of a request that was accepted and has no reply yet. */
export function queuedResponse(
  body: JsonObject,
  {
    id,
    previousId,
    createdAtSeconds,
  }: { id: string; previousId: string | undefined; createdAtSeconds: number },
): JsonObject {
  const said = (name: string, otherwise: unknown) => body[name] ?? otherwise
  return {
    id,
    object: 'response',
    created_at: createdAtSeconds,
    completed_at: null,
    status: 'queued',
    error: null,
    incomplete_details: null,
    model: body.model,
    output: [],
    output_text: '',
    usage: null,
    instructions: said('instructions', null),
    tools: echoTools(body.tools),
    tool_choice: said('tool_choice', 'auto'),
    parallel_tool_calls: said('parallel_tool_calls', true),
    max_output_tokens: said('max_output_tokens', null),
    max_tool_calls: said('max_tool_calls', null),
    temperature: said('temperature', 1),
    top_p: said('top_p', 1),
    top_logprobs: said('top_logprobs', 0),
    presence_penalty: said('presence_penalty', 0),
    frequency_penalty: said('frequency_penalty', 0),
    reasoning: said('reasoning', { effort: null, summary: null }),
    text: said('text', { format: { type: 'text' }, verbosity: 'medium' }),
    metadata: said('metadata', {}),
    safety_identifier: said('safety_identifier', null),
    prompt_cache_key: said('prompt_cache_key', null),
    service_tier: said('service_tier', 'default'),
    truncation: 'disabled',
    previous_response_id: previousId ?? null,
    background: true,
    store: true,
    access_programs: null,
  }
}

/** Typed clients want every member of a function, also those that the request leaves out. */
function echoTools(tools: unknown): unknown[] {
  if (!Array.isArray(tools)) return []
  return tools.map((tool: unknown) =>
    isJsonObject(tool) && tool.type === 'function'
      ? { description: null, parameters: null, strict: null, ...tool }
      : tool,
  )
}
