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
  const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0, reasoning = 0, surcharges } = tokens ?? {}
  // Another model may have done all of it.
  const isElsewhere = surcharges?.others !== undefined
  const counted = {
    input: input + cachedInput + cacheWrite === 0 && !isElsewhere ? countInput() : input,
    cachedInput,
    cacheWrite,
    output: output === 0 && !isElsewhere ? tokensOfBytes(outputBytes) : output,
    reasoning,
  }
  return surcharges === undefined ? counted : { ...counted, surcharges }
}

/**
 * The same for a reply that was broken off. A count that the vendor made in between is its own word for all that came
 * before it, also where ours would be larger. What passed after it nobody counted but us, and how much of it a count
 * from the very beginning knows we cannot tell: then the larger of the two stands for the whole.
 */
export function countedSoFar(
  tokens: ReplyTokens | undefined,
  counts: { countInput(): number; outputBytes: number; isAllCounted: boolean | undefined },
): ReplyTokens {
  const counted = countedTokens(tokens, counts)
  if (counts.isAllCounted === true) return counted
  return { ...counted, output: Math.max(counted.output, tokensOfBytes(counts.outputBytes)) }
}

function tokensOfBytes(outputBytes: number): number {
  return Math.ceil(outputBytes / BYTES_PER_TOKEN)
}
