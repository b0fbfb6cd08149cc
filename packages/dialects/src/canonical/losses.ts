/**
 * Everything a conversion can fail to carry: name -> what is lost and why, for people. A reply names its losses in
 * `x-sluice-losses`, `docs/losses.md` is made from this table, and `x-sluice-strict: true` turns a loss into a 400.
 */
export const LOSSES = {
  cache_control: 'Cache marks. Vendors of the other dialects cache by themselves.',
  top_k: 'Sampling among the k likeliest tokens: only messages has it.',
  context_management: "The vendor's clean-up of long conversations: only messages has it.",
  safeguards: "The vendor's watch over dangerous tool calls: only messages has it.",
  unknown_field: 'An unknown field of the request. Only a passthrough forwards it.',
  unknown_block: 'An unknown part of a message. Only a passthrough forwards it.',
  unknown_tool: 'A kind of tool that only models of its own vendor know.',
  web_search: "The vendor's web search: only its native models have it.",
  tool_reference: 'A pointer to a tool found by a search: the text names it instead.',
  defer_loading: 'Tools that are loaded when a search finds them: all are given at once.',
  instructions: 'A later instruction: this upstream takes them only first, so it becomes a user message.',
  reasoning_replay: 'Reasoning of an earlier turn: this upstream does not take it.',
  foreign_seal: 'A proof of reasoning by another provider, which this one cannot read.',
  reasoning_summary: 'The form of the reasoning summary: this upstream has no choice.',
  reasoning_effort: 'The reasoning effort: this model, or this place in the conversation, takes none.',
  reasoning_seal: 'The requested proof of reasoning: this upstream makes none.',
  service_tier: 'The class of service: this upstream has no choice.',
  inference_geo: 'The region of the model: this upstream has no choice.',
  metadata: 'Your own key-value pairs: this upstream keeps none.',
  cache_key: 'A key for the prompt cache: this upstream has none.',
  verbosity: 'The length of the answer: this upstream has no such setting.',
  max_tokens:
    'An output bound below the least of this upstream: it was raised. Only the model bounds the summary of a compaction.',
  temperature: 'A temperature outside the range of this upstream: it was brought into it.',
  top_p: 'Nucleus sampling: this upstream does not take it while it reasons.',
  parallel_tool_calls: 'Whether tools may be called in parallel: this upstream has no such setting.',
  strict: 'Strict schemas: this upstream does not enforce them, or not with open or optional members.',
  namespace_description: 'The description of a tool namespace: its tools keep their own.',
  format_description: 'The description of the answer format: this upstream does not take it.',
  tool_grammar: 'The grammar of a custom tool: it is in the description, and not enforced.',
  image_detail: 'The detail of an image or a file: this upstream has no such setting.',
  seed: 'The seed of the sampling: this upstream takes none.',
  penalties: 'Penalties and biases of single tokens: this upstream takes none.',
  prediction: 'A predicted answer: this upstream takes none.',
  citations: 'The source of a statement: this client does not take it.',
  logprobs: 'Token probabilities: this dialect does not have them.',
  include: 'Requested extra output: this upstream does not make it.',
} as const satisfies Record<string, string>

export type LossName = keyof typeof LOSSES
