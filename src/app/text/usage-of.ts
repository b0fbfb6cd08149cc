import { costOfText } from '../../domain/billing/cost-of-text.ts'
import { ZERO_MICROS } from '../../domain/billing/micros.ts'
import type { Usage } from '../billing/spend.ts'
import type { TextRoute } from './choose-route.ts'
import { countedSoFar, countedTokens } from './counted-tokens.ts'
import type { ServedEnd } from './exchange-end.ts'

interface Measured {
  route: TextRoute
  /** Our own count of the request, made only where the vendor made none. */
  countInput(): number
  durationMs: number
  losses: readonly string[]
}

/** What a reply that was served costs, as far as it came. */
export function usageOf(end: ServedEnd, { route, countInput, durationMs, losses }: Measured): Usage {
  const { outcome, tokens, outputBytes, isAllCounted, firstByteMs } = end
  const used =
    outcome === 'completed'
      ? countedTokens(tokens, { countInput, outputBytes })
      : countedSoFar(tokens, { countInput, outputBytes, isAllCounted })
  // Thoughts that the client did not want to see are output as well: its vendor made them.
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
    losses: eachOnce(losses, end.losses),
  }
}

function eachOnce(planned: readonly string[], met: Iterable<string>): readonly string[] {
  const all = [...planned, ...met]
  return all.length < 2 ? all : [...new Set(all)]
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
