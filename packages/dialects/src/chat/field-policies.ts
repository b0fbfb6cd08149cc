import type { FieldPolicies } from '../canonical/field-policy.ts'

/**
 * Treatment of each request field in a conversion to another dialect. A field that is not in this table is lost and
 * declared as `unknown_field`. A vendor of this dialect gets all fields unchanged.
 */
export const FIELD_POLICIES: FieldPolicies = {
  model: { policy: 'carried' },
  messages: { policy: 'carried' },
  stream: { policy: 'carried' },
  max_completion_tokens: { policy: 'carried' },
  max_tokens: { policy: 'carried' },
  temperature: { policy: 'carried' },
  top_p: { policy: 'carried' },
  stop: { policy: 'carried' },
  tools: { policy: 'carried' },
  tool_choice: { policy: 'carried' },
  parallel_tool_calls: { policy: 'carried' },
  response_format: { policy: 'carried' },
  reasoning_effort: { policy: 'carried' },
  verbosity: { policy: 'carried' },
  metadata: { policy: 'carried' },
  safety_identifier: { policy: 'carried' },
  user: { policy: 'carried' },
  service_tier: { policy: 'carried' },
  prompt_cache_key: { policy: 'carried' },
  reasoning: { policy: 'adapted', how: 'Effort, budget and whether it is shown.' },
  thinking: { policy: 'adapted', how: 'A budget, or none at all.' },
  enable_thinking: { policy: 'adapted', how: 'False switches reasoning off.' },
  stream_options: { policy: 'adapted', how: 'The usage is sent when it is asked for.' },
  store: { policy: 'adapted', how: 'No vendor keeps a converted reply.' },
  n: { policy: 'adapted', how: 'One reply. More than one is refused.' },
  modalities: { policy: 'adapted', how: 'Text. Audio is refused.' },
  web_search_options: { policy: 'adapted', how: 'Refused without tools; beside tools it is declared lost.' },
  seed: { policy: 'declared', loss: 'seed' },
  frequency_penalty: { policy: 'declared', loss: 'penalties' },
  presence_penalty: { policy: 'declared', loss: 'penalties' },
  logit_bias: { policy: 'declared', loss: 'penalties' },
  prediction: { policy: 'declared', loss: 'prediction' },
  top_k: { policy: 'declared', loss: 'top_k' },
  prompt_cache_retention: { policy: 'declared', loss: 'cache_control' },
  prompt_cache_options: { policy: 'declared', loss: 'cache_control' },
  logprobs: { policy: 'refused', problem: 'works only with models whose provider speaks chat completions' },
  top_logprobs: {
    policy: 'refused',
    problem: 'works only with models whose provider speaks chat completions',
  },
  audio: { policy: 'refused', problem: 'works only with models whose provider speaks chat completions' },
  functions: { policy: 'refused', problem: 'is the older form of tools: send tools instead' },
  function_call: { policy: 'refused', problem: 'is the older form of tool_choice: send tool_choice instead' },
}

/** `null`, `false`, 0, empty lists and empty objects ask for nothing, so nothing is refused or lost. */
export function asksForNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}
