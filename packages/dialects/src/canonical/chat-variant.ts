/** Differences of a vendor of the chat dialect from the dialect's first vendor, configured by the operator. */
export interface ChatVariant {
  /**
   * `system`: the vendor knows no developer role, so developer messages become system messages. `first`: like `system`,
   * but with only one system message, at the start; later ones become user messages.
   */
  instructions: 'as-sent' | 'system' | 'first'
  outputBound: 'max_completion_tokens' | 'max_tokens'
  /** Whether the vendor refuses calls without the reasoning that led to them. */
  replaysReasoning: boolean
  /** The vendor signs its calls, and refuses a conversation with unsigned calls. */
  checksSignatures: boolean
  /** A user message may not follow the result of a tool directly: an assistant message has to come between. */
  bridgesResults: boolean
  /** `nine`: the vendor accepts only ids of nine letters and digits for calls. */
  callIds: 'as-sent' | 'nine'
  /** Fields that the vendor refuses. */
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

/** Field that the gateway may leave out; the request then loses the option. */
export type DispensableField = (typeof DISPENSABLE_FIELDS)[number]

export const USUAL_CHAT: ChatVariant = {
  instructions: 'as-sent',
  outputBound: 'max_completion_tokens',
  replaysReasoning: false,
  checksSignatures: false,
  bridgesResults: false,
  callIds: 'as-sent',
  leavesOut: [],
}
