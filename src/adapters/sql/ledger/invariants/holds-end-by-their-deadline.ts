import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** The reaper comes by now and then: a hold may be this late. */
const GRACE_MS = 60_000

export const holdsEndByTheirDeadline: Invariant = async (db, { nowMs, limit }) => {
  const { rows } = await sql<{ id: string; expires_at_ms: number }>`
    select id, expires_at_ms from holds
    where state = 'open' and expires_at_ms < ${nowMs - GRACE_MS}
    order by expires_at_ms, id limit ${limit}`.execute(db)
  return rows.map(({ id, expires_at_ms }) => ({
    subject: id,
    message: `The hold is open ${Math.floor((nowMs - expires_at_ms) / 1_000)} s after its deadline.`,
  }))
}
