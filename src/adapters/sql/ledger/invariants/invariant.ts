import type { Violation } from '../../../../ports/ledger.ts'
import type { Db } from '../../tables.ts'

export interface InvariantQuestion {
  nowMs: number
  /** At most this many violations. */
  limit: number
}

/** Asks the store for what must not be there. Without its number, which is its place in the list. */
export type Invariant = (db: Db, question: InvariantQuestion) => Promise<Omit<Violation, 'invariant'>[]>
