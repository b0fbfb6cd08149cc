import type { Clock } from '../../ports/clock.ts'
import type { LedgerStore, Violation } from '../../ports/ledger.ts'

/** Result of a check of the ledger; without violations every invariant holds. */
export interface LedgerReport {
  violations: Violation[]
  /** Invariants with more violations than are shown. */
  cutInvariants: number[]
  /** Number of charges without a recorded measure, which were not compared with one. */
  unmeasuredCharges: number
  /** Invariants that were not checked for lack of time. */
  uncheckedInvariants: number[]
}

/** Maximum violations shown for each invariant. */
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
    // One row more than is shown reveals whether there are more.
    const { violations: found, unchecked } = await ledger.checkWithin({
      nowMs: clock.nowMs(),
      limit: VIOLATIONS_MAX + 1,
      timeMsMax,
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
