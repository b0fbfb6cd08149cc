import { BYTES_PER_TOKEN } from '../../llm/count/bytes-per-token.ts'
import type { ReplyTokens } from '../../llm/hub/reply-event.ts'

/**
 * The vendor's count of a reply, with ours where it made none: no request is empty, so a vendor that
 * counted nothing going in did not count, and neither did one that counted nothing of what came out. What a client is
 * told is what is charged.
 */
export function countedTokens(
  tokens: ReplyTokens | undefined,
  { countInput, outputBytes }: { countInput(): number; outputBytes: number },
): ReplyTokens {
  const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0, reasoning = 0 } = tokens ?? {}
  return {
    input: input + cachedInput + cacheWrite === 0 ? countInput() : input,
    cachedInput,
    cacheWrite,
    output: output === 0 ? tokensOfBytes(outputBytes) : output,
    reasoning,
  }
}

export function tokensOfBytes(outputBytes: number): number {
  return Math.ceil(outputBytes / BYTES_PER_TOKEN)
}
