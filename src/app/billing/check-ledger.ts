import type { Clock } from '../../ports/clock.ts'
import type { LedgerStore, Violation } from '../../ports/ledger.ts'

/** What a check of the ledger found. Nothing when every invariant holds. */
export interface LedgerReport {
  violations: Violation[]
  /** The invariants that are broken more often than is shown. */
  cutInvariants: number[]
  /** How many charges are from before measures were kept, and were left out of the comparison with their measure. */
  unmeasuredCharges: number
  /** The invariants for which no time was left. */
  uncheckedInvariants: number[]
}

/** Of each invariant: enough to see what is wrong, and little enough to read. */
const VIOLATIONS_MAX = 100

export function checkLedger({
  ledger,
  clock,
  timeMsMax,
}: {
  ledger: Pick<LedgerStore, 'checkWithin' | 'countUnmeasured'>
  clock: Clock
  /** Left out: without limit. */
  timeMsMax?: number
}): () => Promise<LedgerReport> {
  return async () => {
    // One more than is shown tells whether there are more.
    const { violations: found, unchecked } = await ledger.checkWithin({
      ...{ nowMs: clock.nowMs(), limit: VIOLATIONS_MAX + 1, timeMsMax },
    })
    const byInvariant = [...Map.groupBy(found, ({ invariant }) => invariant)]
    return {
      violations: byInvariant.flatMap(([, violations]) => violations.slice(0, VIOLATIONS_MAX)),
      cutInvariants: byInvariant.flatMap(([invariant, { length }]) =>
        length > VIOLATIONS_MAX ? [invariant] : [],
      ),
      uncheckedInvariants: unchecked,
      unmeasuredCharges: await ledger.countUnmeasured(),
    }
  }
}
