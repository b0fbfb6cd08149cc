import type { Violation } from '../../../../ports/ledger.ts'
import type { Db } from '../../tables.ts'

export interface InvariantQuery {
  nowMs: number
  /** Maximum number of violations. */
  limit: number
}

/** Finds violations of an invariant, whose number is its position in `INVARIANTS`. */
export type Invariant = (db: Db, query: InvariantQuery) => Promise<Omit<Violation, 'invariant'>[]>
