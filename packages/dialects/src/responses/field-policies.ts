import type { FieldPolicies } from '../canonical/field-policy.ts'

/**
 * Treatment of each request field in a conversion to another dialect. A field that is not in this table is lost and
 * declared as `unknown_field`.
 */
export const FIELD_POLICIES: FieldPolicies = {
  model: { policy: 'carried' },
  input: { policy: 'carried' },
  stream: { policy: 'carried' },
  max_output_tokens: { policy: 'carried' },
  temperature: { policy: 'carried' },
  top_p: { policy: 'carried' },
  tools: { policy: 'carried' },
  tool_choice: { policy: 'carried' },
  parallel_tool_calls: { policy: 'carried' },
  text: { policy: 'carried' },
  reasoning: { policy: 'carried' },
  metadata: { policy: 'carried' },
  safety_identifier: { policy: 'carried' },
  user: { policy: 'carried' },
  service_tier: { policy: 'carried' },
  prompt_cache_key: { policy: 'carried' },
  instructions: { policy: 'adapted', how: 'They become the first system turn.' },
  include: { policy: 'adapted', how: 'Seals are given when asked for; other extra output is declared lost.' },
  store: {
    policy: 'adapted',
    how: 'No vendor keeps a converted reply; the gateway keeps it for references.',
  },
  stream_options: { policy: 'adapted', how: 'Events are never padded, so there is nothing to switch off.' },
  max_tool_calls: {
    policy: 'adapted',
    how: 'It bounds tools that vendors run, and a converted model has none.',
  },
  top_logprobs: { policy: 'declared', loss: 'logprobs' },
  client_metadata: { policy: 'declared', loss: 'metadata' },
  prompt_cache_retention: { policy: 'declared', loss: 'cache_control' },
  prompt_cache_options: { policy: 'declared', loss: 'cache_control' },
  context_management: { policy: 'declared', loss: 'context_management' },
  prompt: {
    policy: 'refused',
    problem: 'is kept by one vendor only: send its text in instructions and input',
  },
  previous_response_id: {
    policy: 'adapted',
    how: 'The gateway puts the conversation that it has kept before `input`.',
  },
  conversation: { policy: 'refused', problem: 'is not supported: send the whole conversation in input' },
  background: {
    policy: 'adapted',
    how: 'The gateway continues without the client; the vendor is asked for a stream.',
  },
  truncation: {
    policy: 'refused',
    problem: 'is not supported: leave it out and shorten input yourself when it grows too long',
  },
}

/** Fields that are refused for every model of this endpoint, also where a passthrough could forward them. */
export const REFUSED_EVERYWHERE = ['conversation', 'truncation'] as const

/** `null`, `false`, 0 and "disabled" ask for nothing, so nothing is refused or lost. */
export function asksForNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === 0 || value === 'disabled'
}
