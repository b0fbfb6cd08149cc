import type { RawBuilder } from 'kysely'
import type { Violation } from '../../../../ports/ledger.ts'
import type { Db } from '../../tables.ts'

export interface InvariantQuery {
  nowMs: number
  /** Maximum number of violations. */
  limit: number
}

/** Finds violations of an invariant, whose number is its position in `INVARIANTS`. */
export type Invariant = (db: Db, query: InvariantQuery) => Promise<Omit<Violation, 'invariant'>[]>

/** Makes an invariant of the query for its violations, and the message and the subject of each. */
export function violationsOf<Row extends { id: string }>(
  select: (query: InvariantQuery) => RawBuilder<Row>,
  message: (row: Row) => string,
  subject: (row: Row) => string = ({ id }) => id,
): Invariant {
  return async (db, query) => {
    const { rows } = await select(query).execute(db)
    return rows.map((row) => ({ subject: subject(row), message: message(row) }))
  }
}
