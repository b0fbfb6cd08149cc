import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { DayMove, ExpiredHold, LedgerStore } from '../../../ports/ledger.ts'
import { inChunks } from '../in-chunks.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { lowerHeld } from './end-hold.ts'
import { byUserAndDay, moveDay } from './user-days.ts'

export const EXPIRE_HOLDS = {
  /**
   * Expires due holds. Each replica skips holds that another replica is ending. The hold of an open task stays,
   * because the sweep ends both together, and a late success must still be paid.
   */
  expire: write(async (db, { nowMs, limit }, traits) => {
    const { rows: due } = await sql<DueHold>`
      select id, kind, organization_id, user_id, day, task_id, amount_micros from holds
      where state = 'open' and expires_at_ms <= ${nowMs} and not exists (
        select 1 from video_tasks
        where video_tasks.id = holds.task_id and video_tasks.status in ('submitting', 'queued', 'running')
      )
      order by expires_at_ms, id limit ${limit} ${traits.lockRowsSkippingLocked}`.execute(db)
    for (const chunk of inChunks(due)) {
      await sql`
        update holds set state = 'expired', ended_at_ms = ${nowMs}
        where id in (${sql.join(chunk.map(({ id }) => id))})`.execute(db)
    }
    const days = await releaseDays(db, due)
    for (const sum of sumPerOrganization(due)) await lowerHeld(db, sum)
    return due.map((hold) => toExpired(hold, days.get(hold.id)))
  }),
} satisfies Partial<StatementsOf<LedgerStore>>

type DueHold = Omit<Tables['holds'], 'state' | 'created_at_ms' | 'expires_at_ms' | 'ended_at_ms'>

/** Lowers the days of expired holds, with one `DayMove` per hold, because `DayBuckets.apply` takes one at a time. */
async function releaseDays(db: Db, due: readonly DueHold[]): Promise<Map<string, DayMove>> {
  const days = new Map<string, DayMove>()
  const moves = due.flatMap(({ id, user_id, day, amount_micros }) =>
    user_id === null || day === null ? [] : [{ id, userId: user_id, day, delta: -amount_micros }],
  )
  for (const { id, ...move } of moves.toSorted(byUserAndDay)) days.set(id, await moveDay(db, move))
  return days
}

function sumPerOrganization(due: readonly DueHold[]) {
  const amounts = new Map<string, number>()
  for (const { organization_id, amount_micros } of due) {
    amounts.set(organization_id, (amounts.get(organization_id) ?? 0) + amount_micros)
  }
  return [...amounts.keys()]
    .toSorted()
    .map((organizationId) => ({ organizationId, amount: amounts.get(organizationId) ?? 0 }))
}

function toExpired(hold: DueHold, day: DayMove | undefined): ExpiredHold {
  return {
    id: hold.id,
    kind: hold.kind,
    organizationId: hold.organization_id,
    taskId: hold.task_id,
    amountMicros: micros(hold.amount_micros),
    day,
  }
}
