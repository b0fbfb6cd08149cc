/**
 * Everything a conversion can fail to carry: name -> what is lost and why, for people. A reply names its losses in
 * `x-sluice-losses`, `docs/losses.md` is made from this table, and `x-sluice-strict: true` turns a loss into a 400.
 */
export const LOSSES = {
  cache_control: 'Cache marks. Vendors of the other dialects cache by themselves.',
  top_k: 'Sampling among the k likeliest tokens: only messages has it.',
  context_management: "The vendor's clean-up of long conversations: only messages has it.",
  safeguards: "The vendor's safety check of tool calls: only messages has it.",
  unknown_field: 'An unknown field of the request. Only a passthrough forwards it.',
  unknown_block: 'An unknown part of a message. Only a passthrough forwards it.',
  unknown_tool: 'A kind of tool that only models of its own vendor know.',
  web_search: "The vendor's web search: only its native models have it.",
  tool_reference: 'A pointer to a tool found by a search: the name of the tool is sent as text.',
  defer_loading: 'Tools that are loaded when a search finds them: all are given at once.',
  instructions:
    'A later instruction: this vendor accepts instructions only at the start, so it becomes a user message.',
  reasoning_replay: 'Reasoning of an earlier turn: this vendor does not take it.',
  foreign_seal: 'A proof of reasoning by another provider, which this one cannot read.',
  reasoning_summary: 'The form of the reasoning summary: this vendor does not let you choose it.',
  reasoning_effort:
    'The reasoning effort: this model, or this place in the conversation, does not take this one.',
  reasoning_seal: 'The requested proof of reasoning: this vendor makes none.',
  service_tier: 'The class of service: this vendor does not let you choose it.',
  inference_geo: 'The region of the model: this vendor does not let you choose it.',
  metadata: 'Your own key-value pairs: this vendor keeps none.',
  cache_key: 'A key for the prompt cache: this vendor has none.',
  verbosity: 'The length of the answer: this vendor has no such setting.',
  max_tokens:
    'The output limit: it was below the minimum of this vendor and was raised. A compaction summary ignores it.',
  temperature: 'A temperature that this model does not accept: it was lowered or left out.',
  top_p: 'Nucleus sampling: this model does not accept it, at least not here.',
  tool_choice: 'A call that must be made: this model decides by itself whether it calls a tool.',
  parallel_tool_calls: 'Whether tools may be called in parallel: this vendor has no such setting.',
  strict:
    'Strict schemas: this vendor does not enforce them, or not if the schema has optional or additional properties.',
  namespace_description: 'The description of a tool namespace: its tools keep their own.',
  format_description: 'The description of the answer format: this vendor does not take it.',
  tool_grammar: 'The grammar of a custom tool: it is in the description, and not enforced.',
  image_detail: 'The detail of an image or a file: this vendor has no such setting.',
  seed: 'The seed of the sampling: this vendor takes none.',
  penalties: 'Penalties and biases of single tokens: this vendor takes none.',
  prediction: 'A predicted answer: this vendor takes none.',
  citations: 'The source of a statement: it is not carried from one dialect to another.',
  logprobs: 'Token probabilities: this dialect does not have them.',
  include: 'Requested extra output: this vendor does not make it.',
} as const satisfies Record<string, string>

export type LossName = keyof typeof LOSSES
