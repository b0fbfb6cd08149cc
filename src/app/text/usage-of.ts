import { costOfText } from '../../domain/billing/cost-of-text.ts'
import { ZERO_MICROS } from '../../domain/billing/micros.ts'
import { BYTES_PER_TOKEN } from '../../llm/count/bytes-per-token.ts'
import type { Usage } from '../billing/spend.ts'
import type { TextRoute } from './choose-route.ts'
import type { ServedEnd } from './exchange-end.ts'

interface Measured {
  route: TextRoute
  /** Our own count of the request, made only where the vendor made none. */
  countInput(): number
  durationMs: number
  losses: readonly string[]
}

/**
 * What a reply that was served costs, as far as it came. What the vendor did not count, we count: no request is empty, so
 * a vendor that counted nothing going in did not count.
 */
export function usageOf(end: ServedEnd, { route, countInput, durationMs, losses }: Measured): Usage {
  const { outcome, tokens, outputBytes, firstByteMs } = end
  const counted = Math.ceil(outputBytes / BYTES_PER_TOKEN)
  // Of a reply that broke off the vendor's last count is from before its last words; a count of nothing is none.
  const vendorCounted = tokens?.output ?? 0
  const isCounted = outcome === 'completed' && vendorCounted > 0
  const outputTokens = isCounted ? vendorCounted : Math.max(vendorCounted, counted)
  const { input = 0, cachedInput = 0, cacheWrite = 0 } = tokens ?? {}
  const used = {
    input: input + cachedInput + cacheWrite === 0 ? countInput() : input,
    cachedInput,
    cacheWrite,
    output: outputTokens,
  }
  const isFree = outcome === 'failed' && outputBytes === 0
  return {
    model: route.name,
    inputTokens: used.input,
    cachedInputTokens: used.cachedInput,
    cacheWriteTokens: used.cacheWrite,
    outputTokens: used.output,
    costMicros: isFree ? ZERO_MICROS : costOfText(route.prices, used),
    outcome,
    firstByteMs: firstByteMs === undefined ? null : Math.round(firstByteMs),
    durationMs: Math.round(durationMs),
    losses: [...new Set([...losses, ...end.losses])],
  }
}

/** A vendor was asked and served nothing: a row that says so, free. */
export function usageOfRefusal({ route, durationMs, losses }: Omit<Measured, 'countInput'>): Usage {
  return {
    model: route.name,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    costMicros: ZERO_MICROS,
    outcome: 'failed',
    firstByteMs: null,
    durationMs: Math.round(durationMs),
    losses,
  }
}
