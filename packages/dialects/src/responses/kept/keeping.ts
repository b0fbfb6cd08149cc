import type { Keeping } from '../../contract/dialect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { asksForNothing } from '../field-policies.ts'

/** Returns undefined for a request that stores no reply and continues none. */
export function keepingOf(
  { store, background, previous_response_id: previous }: JsonObject,
  keepsByDefault: boolean,
): Keeping | undefined {
  const isBackground = background === true
  const previousId = asksForNothing(previous) ? undefined : String(previous)
  const isStored = isBackground || (keepsByDefault ? store !== false : store === true)
  return isStored || previousId !== undefined ? { isStored, isBackground, previousId } : undefined
}

/** The response object of an accepted request before its reply begins. */
export function queuedResponse(
  body: JsonObject,
  {
    id,
    previousId,
    createdAtSeconds,
  }: { id: string; previousId: string | undefined; createdAtSeconds: number },
): JsonObject {
  const given = (name: string, otherwise: unknown) => body[name] ?? otherwise
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
    instructions: given('instructions', null),
    tools: echoTools(body.tools),
    tool_choice: given('tool_choice', 'auto'),
    parallel_tool_calls: given('parallel_tool_calls', true),
    max_output_tokens: given('max_output_tokens', null),
    max_tool_calls: given('max_tool_calls', null),
    temperature: given('temperature', 1),
    top_p: given('top_p', 1),
    top_logprobs: given('top_logprobs', 0),
    presence_penalty: given('presence_penalty', 0),
    frequency_penalty: given('frequency_penalty', 0),
    reasoning: given('reasoning', { effort: null, summary: null }),
    text: given('text', { format: { type: 'text' }, verbosity: 'medium' }),
    metadata: given('metadata', {}),
    safety_identifier: given('safety_identifier', null),
    prompt_cache_key: given('prompt_cache_key', null),
    service_tier: given('service_tier', 'default'),
    truncation: 'disabled',
    previous_response_id: previousId ?? null,
    background: true,
    store: true,
    access_programs: null,
  }
}

/** Typed clients need every member of a function, also those that the request leaves out. */
function echoTools(tools: unknown): unknown[] {
  if (!Array.isArray(tools)) return []
  return tools.map((tool: unknown) =>
    isJsonObject(tool) && tool.type === 'function'
      ? { description: null, parameters: null, strict: null, ...tool }
      : tool,
  )
}
