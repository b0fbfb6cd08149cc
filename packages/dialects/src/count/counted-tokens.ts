import type { ReplyTokens } from '../canonical/reply-event.ts'
import { BYTES_PER_TOKEN, PROOF_CHARACTERS_PER_TOKEN } from './count-text.ts'

/**
 * Uses the vendor's counts. A count of zero input, or of zero output for a reply with text, means that the vendor did not
 * count; then the gateway's count is used. The same numbers are reported to the client and charged.
 */
export function countedTokens(
  tokens: ReplyTokens | undefined,
  { countInput, outputBytes }: { countInput(): number; outputBytes: number },
): ReplyTokens {
  const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0, reasoning = 0, surcharges } = tokens ?? {}
  // Zero is right if other models did all the work.
  const hasOtherModels = surcharges?.others !== undefined
  const counted = {
    input: input + cachedInput + cacheWrite === 0 && !hasOtherModels ? countInput() : input,
    cachedInput,
    cacheWrite,
    output: output === 0 && !hasOtherModels ? tokensOfBytes(outputBytes) : output,
    reasoning,
  }
  return surcharges === undefined ? counted : { ...counted, surcharges }
}

/** All output that the vendor has counted, of all models that took part. */
export function countedOutput(tokens: ReplyTokens | undefined): number | undefined {
  const others = tokens?.surcharges?.others
  return others?.reduce((sum, { output }) => sum + output, tokens?.output ?? 0) ?? tokens?.output
}

/**
 * Tokens of a reply that was broken off. If the vendor's last count covers all output, it is used. Otherwise the larger of
 * the vendor's count and the gateway's count of the whole reply is used.
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
 * Tokens of a reply whose client hung up while a part of the output was hidden, and whose vendor did not count it in time.
 * The hidden output is the larger of two estimates, from the size of its proofs and from duration times the model's speed,
 * and at most `maxOutputTokens`.
 */
export function countedWithHidden(
  counted: ReplyTokens,
  hidden: {
    proofCharacters: number
    durationMs: number
    tokensPerSecond: number
    maxOutputTokens: number | undefined
  },
): ReplyTokens {
  const { proofCharacters, durationMs, tokensPerSecond, maxOutputTokens = Number.POSITIVE_INFINITY } = hidden
  const proven = Math.ceil(proofCharacters / PROOF_CHARACTERS_PER_TOKEN)
  const written = Math.ceil((durationMs / 1_000) * tokensPerSecond)
  const output = Math.min(Math.max(proven, written), maxOutputTokens)
  return { ...counted, output: Math.max(counted.output, output) }
}

function tokensOfBytes(outputBytes: number): number {
  return Math.ceil(outputBytes / BYTES_PER_TOKEN)
}
