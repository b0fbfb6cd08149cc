import type { Dialect } from '@sluice/dialects/dialect-facts'

/** Reply of a vendor, its charge in other programs, and the exact charge. */
export interface BillingCase {
  name: string
  /** The dialect that the vendor speaks. */
  vendor: Dialect
  /**
   * The usage objects of its stream, in order. In the messages dialect the first belongs to `message_start`; a single
   * object belongs to both events.
   */
  usages: readonly object[]
  /** Usage of a whole reply. Left out: the only usage of the stream, if any; a case with several is only streamed. */
  whole?: object
  /** Further members of the reply. */
  reply?: object
  /** Members of a chat message beside its text. */
  message?: object
  /** Request of a client of the vendor's own dialect; a conversion does not carry it. */
  asks?: object
  /** Length of the prompt if the counts need a long one to be plausible; left out: ten bytes. */
  promptBytes?: number
  /** A messages stream that sends its `message_start` again at its end. */
  repeatsStart?: true
  /** End of a stream that does not end well. */
  end?: 'the vendor breaks off' | 'the client hangs up'
  /** Another place for the usage in a chat chunk than `usage`. */
  place?: 'choice' | 'x_groq'
  /** Charge in other programs, in a few words; "own fault" for a fault that this gateway had. */
  others: string
  /** Public threads about it, as `owner/name#number`. */
  threads: readonly string[]
  /** Micro-USD at `PRICES`: in every cell, or by the dialect of the client. */
  charge: number | Record<Dialect, number>
}

/** USD for a million tokens, and what other units cost, of the model that every case asks for. */
export const PRICES = [
  { unit: 'input_token', usd_per_million: 3 },
  { unit: 'cached_input_token', usd_per_million: 0.3 },
  { unit: 'cache_write_token', usd_per_million: 3.75 },
  { unit: 'long_cache_write_token', usd_per_million: 6 },
  { unit: 'output_token', usd_per_million: 15 },
  { unit: 'web_search_call', usd: 0.01 },
  { unit: 'file_search_call', usd: 0.0025 },
  { unit: 'image_generation_call', usd: 0.04 },
  { unit: 'code_session', usd: 0.03 },
  { unit: 'priority_tier', times: 2 },
  { unit: 'flex_tier', times: 0.5 },
  { unit: 'fast_speed', times: 6 },
  { unit: 'regional_inference', times: 1.1 },
  { unit: 'long_context_input', times: 2 },
  { unit: 'long_context_output', times: 1.5 },
] as const
