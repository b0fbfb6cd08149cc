import type { Clock } from '../../ports/clock.ts'
import type { LedgerStore, Violation } from '../../ports/ledger.ts'

/** Result of a check of the ledger; without violations every invariant holds. */
export interface LedgerReport {
  violations: Violation[]
  truncatedInvariants: number[]
  /** Number of old charges that cannot be recalculated because their measured quantity was not stored. */
  unmeasuredCharges: number
  uncheckedInvariants: number[]
}

const VIOLATIONS_MAX = 100

export function checkLedger(input: {
  ledger: Pick<LedgerStore, 'checkWithin' | 'countUnmeasured'>
  clock: Clock
  /** Left out: no limit. */
  timeoutMs?: number
}): () => Promise<LedgerReport> {
  const { ledger, clock, timeoutMs } = input
  return async () => {
    // One row more than the limit reveals whether there are more.
    const { violations: found, unchecked } = await ledger.checkWithin({
      nowMs: clock.nowMs(),
      limit: VIOLATIONS_MAX + 1,
      timeoutMs,
    })
    const byInvariant = [...Map.groupBy(found, ({ invariant }) => invariant)]
    return {
      violations: byInvariant.flatMap(([, violations]) => violations.slice(0, VIOLATIONS_MAX)),
      truncatedInvariants: byInvariant.flatMap(([invariant, { length }]) =>
        length > VIOLATIONS_MAX ? [invariant] : [],
      ),
      uncheckedInvariants: unchecked,
      unmeasuredCharges: await ledger.countUnmeasured(),
    }
  }
}
