import { sql } from 'kysely'
import type { LedgerFindings, LedgerStore, Violation } from '../../../ports/ledger.ts'
import { report, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'
import { INVARIANTS } from './invariants/invariants.ts'

export const CHECK_LEDGER = {
  check: report(async (db, query) => (await checkLedger(db, query)).violations),

  checkWithin: report(checkLedger),
  countUnmeasured: report(countUnmeasured),
} satisfies Partial<StatementsOf<LedgerStore>>

/** Checks one invariant after another. After `timeoutMs` it stops and reports the numbers of the unchecked ones. */
export async function checkLedger(
  db: Db,
  query: { nowMs: number; limit: number; timeoutMs?: number | undefined },
): Promise<LedgerFindings> {
  const findings: LedgerFindings = { violations: [], unchecked: [] }
  const beganMs = performance.now()
  for (const [index, queries] of INVARIANTS.entries()) {
    if (performance.now() - beganMs >= (query.timeoutMs ?? Number.POSITIVE_INFINITY)) {
      findings.unchecked.push(index + 1)
      continue
    }
    const found: Omit<Violation, 'invariant'>[] = []
    for (const invariant of queries) {
      if (found.length < query.limit) found.push(...(await invariant(db, query)))
    }
    const shown = found.slice(0, query.limit)
    findings.violations.push(...shown.map((violation) => ({ invariant: index + 1, ...violation })))
  }
  return findings
}

export async function countUnmeasured(db: Db): Promise<number> {
  const { rows } = await sql<{ charges: number }>`
    select (select count(*) from ledger_entries where kind = 'settlement' and cost_unit is null)
      + (select count(*) from text_usage where price_lines is null) as charges`.execute(db)
  return rows[0]?.charges ?? 0
}
