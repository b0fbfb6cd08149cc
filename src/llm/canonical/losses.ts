/**
 * Everything a conversion can fail to carry: name -> what is lost and why, for people. A reply names its losses in
 * `x-sluice-losses`, `docs/losses.md` is made from this table, and `x-sluice-strict: true` turns a loss into a 400.
 */
export const LOSSES = {
  cache_control: 'Marks of what to cache. Vendors of the other dialects cache by themselves.',
  top_k: 'Sampling among the k likeliest tokens: only the messages dialect has it.',
  context_management: "The vendor's own clean-up of long conversations: only the messages dialect has it.",
  safeguards: "The vendor's own watch over dangerous tool calls: only the messages dialect has it.",
  unknown_field: 'A field of the request that this gateway does not know. Only a passthrough forwards it.',
  unknown_block: 'A part of a message that this gateway does not know. Only a passthrough forwards it.',
  unknown_tool:
    'A tool of a kind that only models of its own vendor know, whether the client or the vendor runs it.',
  web_search: "The vendor's own search of the web: only native models of that vendor have it.",
  tool_reference: 'A pointer to a tool found by a search: its name is said in the text instead.',
  defer_loading: 'Tools that are loaded when a search finds them: they are all given at once.',
  instructions:
    'An instruction in the middle of a conversation: this upstream takes them only first, so that the user tells it.',
  reasoning_replay: 'Reasoning of an earlier turn: this upstream has no place for it.',
  foreign_seal: 'A proof of reasoning that another provider made: it means nothing to this one.',
  reasoning_summary: 'How reasoning is to be summed up: this upstream does not say it.',
  reasoning_effort: 'How hard to think: this model, or this place in the conversation, takes no such word.',
  reasoning_seal: 'The proof of reasoning that was asked for: this upstream makes none.',
  service_tier: 'The class of service: this upstream has no such choice.',
  inference_geo: 'Where the model runs: this upstream has no such choice.',
  metadata: 'Key-value pairs of your own: this upstream keeps none.',
  cache_key: 'A key for the prompt cache: this upstream has none.',
  verbosity: 'How wordy the answer is to be: this upstream has no such setting.',
  max_tokens:
    'A bound on the output that is smaller than this upstream takes: it was raised to the smallest. The summary of a compaction has no bound but that of its model.',
  temperature: 'The temperature: this upstream takes a smaller range, so it was brought into it.',
  top_p: 'Nucleus sampling: this upstream does not take it while it thinks.',
  parallel_tool_calls: 'Whether tools may be called side by side: this upstream has no such setting.',
  strict:
    'Strict schemas: this upstream does not enforce them, or not one that leaves members open or optional.',
  namespace_description:
    'What is said of a namespace of tools: its tools keep their own descriptions, and there is no place for this.',
  format_description: 'What is said of the shape of the answer: this upstream has no place for it.',
  tool_grammar: 'The grammar of a custom tool: it is said in the description, and not enforced.',
  image_detail: 'How closely an image or a file is to be looked at: this upstream has no such setting.',
  seed: 'A number that makes sampling repeatable: this upstream takes none.',
  penalties: 'Penalties and biases of single tokens: this upstream takes none.',
  prediction: 'A guess of the answer that makes it faster: this upstream takes none.',
  citations: 'Where a statement comes from: this client has no place for it.',
  logprobs: 'How likely each token was: this dialect has no place for it.',
  include: 'Extra output that was asked for: this upstream does not make it.',
} as const satisfies Record<string, string>

export type LossName = keyof typeof LOSSES
