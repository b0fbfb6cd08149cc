import type { Usage } from '../answer.ts'

/** `input_tokens` has the cached ones in it on this wire. */
export function usageObject({ input, cacheRead, cacheWrite, output, reasoning }: Usage): object {
  const all = input + cacheRead + cacheWrite
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: all + output,
  }
}
