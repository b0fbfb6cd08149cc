import type { Kysely } from 'kysely'
import type { Violation } from '../../../ports/ledger.ts'
import type { Tables } from '../tables.ts'
import { INVARIANTS } from './invariants/invariants.ts'

export async function checkLedger(
  db: Kysely<Tables>,
  question: { nowMs: number; limit: number },
): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const [index, invariant] of INVARIANTS.entries()) {
    const found = await invariant(db, question)
    violations.push(...found.map((violation) => ({ invariant: index + 1, ...violation })))
  }
  return violations
}
