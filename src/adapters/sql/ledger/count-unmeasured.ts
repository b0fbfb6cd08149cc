import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

export async function countUnmeasured(db: Kysely<Tables>, _question: object): Promise<number> {
  const { rows } = await sql<{ charges: number }>`
    select (select count(*) from ledger_entries where kind = 'settlement' and cost_unit is null)
      + (select count(*) from text_usage where price_lines is null) as charges`.execute(db)
  return rows[0]?.charges ?? 0
}
