/** What a vendor of the chat dialect wants otherwise than the dialect's first vendor. An operator says so. */
export interface ChatVariant {
  /**
   * `system`: the vendor knows no developer role, so developer messages become system messages. `first`: and only one
   * system message at the start; later ones become user messages.
   */
  instructions: 'as-sent' | 'system' | 'first'
  /** What the bound on the output is called. */
  outputBound: 'max_completion_tokens' | 'max_tokens'
  /** Some models that reason before a call refuse to go on without that reasoning. */
  replaysReasoning: boolean
  /** The vendor signs the calls that it makes, and refuses a conversation with unsigned calls. */
  checksSignatures: boolean
  /** A user message may not follow the result of a tool directly: an assistant message has to come between. */
  bridgesResults: boolean
  /** Fields that it refuses. */
  leavesOut: readonly DispensableField[]
}

export const DISPENSABLE_FIELDS = [
  'parallel_tool_calls',
  'prompt_cache_key',
  'service_tier',
  'stream_options',
  'user',
  'verbosity',
] as const

/** A field that a request does without, at the price of a wish. */
export type DispensableField = (typeof DISPENSABLE_FIELDS)[number]

export const USUAL_CHAT: ChatVariant = {
  instructions: 'as-sent',
  outputBound: 'max_completion_tokens',
  replaysReasoning: false,
  checksSignatures: false,
  bridgesResults: false,
  leavesOut: [],
}
