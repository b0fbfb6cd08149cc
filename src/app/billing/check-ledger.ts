import type { Clock } from '../../ports/clock.ts'
import type { LedgerStore } from '../../ports/ledger.ts'
import type { Operator } from '../operator.ts'

/** Of each invariant: enough to see what is wrong, and little enough to read. */
const VIOLATIONS_MAX = 100

export function checkLedger({
  ledger,
  clock,
}: {
  ledger: LedgerStore
  clock: Clock
}): Operator['checkLedger'] {
  return () => ledger.check({ nowMs: clock.nowMs(), limit: VIOLATIONS_MAX })
}
