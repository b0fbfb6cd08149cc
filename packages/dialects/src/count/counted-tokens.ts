import type { ReplyTokens } from '../canonical/reply-event.ts'
import { BYTES_PER_TOKEN, PROOF_CHARACTERS_PER_TOKEN } from './count-text.ts'

/**
 * The vendor's count of a reply, with ours where it made none: no request is empty, so a vendor that reports no input
 * did not count it, and neither did one that reports no output for a reply with text. The client is charged for the tokens
 * that its answer reports.
 */
export function countedTokens(
  tokens: ReplyTokens | undefined,
  { countInput, outputBytes }: { countInput(): number; outputBytes: number },
): ReplyTokens {
  const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0, reasoning = 0, surcharges } = tokens ?? {}
  // Another model may have done all the work.
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

/** All output that the vendor has counted, of every model that took part. */
export function countedOutput(tokens: ReplyTokens | undefined): number | undefined {
  const others = tokens?.surcharges?.others
  return others?.reduce((sum, { output }) => sum + output, tokens?.output ?? 0) ?? tokens?.output
}

/**
 * Tokens of a reply that was broken off. A count that the vendor sent during the reply covers all output before it, also
 * where ours would be larger. Output after that count was counted by us only, and a count from the very beginning may or
 * may not include it: then the larger of the two counts for the whole reply.
 */
export function countedSoFar(
  tokens: ReplyTokens | undefined,
  counts: { countInput(): number; outputBytes: number; isAllCounted: boolean | undefined },
): ReplyTokens {
  const counted = countedTokens(tokens, counts)
  if (counts.isAllCounted === true) return counted
  return { ...counted, output: Math.max(counted.output, tokensOfBytes(counts.outputBytes)) }
}

/**
 * Tokens of a reply whose client hung up while a part of it was hidden, and whose vendor did not count it in time: the
 * larger of the tokens by its proofs and the tokens that its model writes in that time.
 */
export function countedWithHidden(
  counted: ReplyTokens,
  hidden: {
    proofBytes: number
    durationMs: number
    tokensPerSecond: number
    maxOutputTokens: number | undefined
  },
): ReplyTokens {
  const { proofBytes, durationMs, tokensPerSecond, maxOutputTokens = Number.POSITIVE_INFINITY } = hidden
  const proven = Math.ceil(proofBytes / PROOF_CHARACTERS_PER_TOKEN)
  const written = Math.ceil((durationMs / 1_000) * tokensPerSecond)
  const output = Math.min(Math.max(proven, written), maxOutputTokens)
  return { ...counted, output: Math.max(counted.output, output) }
}

function tokensOfBytes(outputBytes: number): number {
  return Math.ceil(outputBytes / BYTES_PER_TOKEN)
}
