import type { Violation } from '../../ports/ledger.ts'

/** What a check of the ledger found. Nothing when every invariant holds. */
export interface LedgerReport {
  violations: Violation[]
  /** The invariants that are broken more often than is shown. */
  cutInvariants: number[]
  /** How many charges are from before measures were kept, and were left out of the comparison with their measure. */
  unmeasuredCharges: number
}
