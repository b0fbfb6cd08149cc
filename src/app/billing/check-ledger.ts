import type { Clock } from '../../ports/clock.ts'
import type { LedgerStore } from '../../ports/ledger.ts'
import type { Operator } from '../operator.ts'

/** Of each invariant: enough to see what is wrong, and little enough to read. */
const VIOLATIONS_MAX = 100

export function checkLedger({
  ledger,
  clock,
}: {
  ledger: Pick<LedgerStore, 'check' | 'countUnmeasured'>
  clock: Clock
}): Operator['checkLedger'] {
  return async () => {
    // One more than is shown tells whether there are more.
    const found = await ledger.check({ nowMs: clock.nowMs(), limit: VIOLATIONS_MAX + 1 })
    const byInvariant = [...Map.groupBy(found, ({ invariant }) => invariant)]
    return {
      violations: byInvariant.flatMap(([, violations]) => violations.slice(0, VIOLATIONS_MAX)),
      cutInvariants: byInvariant.flatMap(([invariant, { length }]) =>
        length > VIOLATIONS_MAX ? [invariant] : [],
      ),
      unmeasuredCharges: await ledger.countUnmeasured(),
    }
  }
}
