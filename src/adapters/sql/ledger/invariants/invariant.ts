import type { Violation } from '../../../../ports/ledger.ts'
import type { Db } from '../../tables.ts'

export interface InvariantQuery {
  nowMs: number
  /** Maximum of violations. */
  limit: number
}

/** Finds violations. The position in `INVARIANTS` is the number of an invariant. */
export type Invariant = (db: Db, query: InvariantQuery) => Promise<Omit<Violation, 'invariant'>[]>
