import { type Kysely, sql } from 'kysely'
import { micros, ZERO_MICROS } from '../../../domain/billing/micros.ts'
import type { StoredDay } from '../../../ports/ledger.ts'
import type { Tables } from '../tables.ts'

export async function readDay(
  db: Kysely<Tables>,
  { userId, day }: { userId: string; day: string },
): Promise<StoredDay> {
  const { rows } = await sql<{ used_micros: number; version: number }>`
    select used_micros, version from user_days where user_id = ${userId} and day = ${day}`.execute(db)
  const row = rows[0]
  if (row === undefined) return { usedMicros: ZERO_MICROS, version: 0 }
  return { usedMicros: micros(row.used_micros), version: row.version }
}
