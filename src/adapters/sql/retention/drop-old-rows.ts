import { sql } from 'kysely'
import type { RetentionStore } from '../../../ports/retention.ts'
import { eraseClips } from '../clips/erase-clips.ts'
import { type StatementsOf, single, write } from '../statement.ts'

export const RETENTION = {
  /** Deletes tasks and rows that refer to them. Holds stay, and clips become `erased`. The ledger checks need no task. */
  dropTasks: write(async (db, { beforeMs, limit }, { lockRowsSkippingLocked }) => {
    const { rows } = await sql<{ id: string }>`
      select id from video_tasks
      where completed_at_ms < ${beforeMs} and status in ('succeeded', 'failed', 'cancelled')
        and not exists (select 1 from holds where holds.task_id = video_tasks.id and holds.state = 'open')
        and not exists (
          select 1 from video_callbacks where video_callbacks.task_id = video_tasks.id and state = 'pending'
        )
        and not exists (select 1 from idempotency_keys where idempotency_keys.task_id = video_tasks.id)
        and not exists (
          select 1 from holds join ledger_entries on ledger_entries.hold_id = holds.id
          where holds.task_id = video_tasks.id and ledger_entries.kind = 'settlement'
            and ledger_entries.api_key_id is null
        )
      order by completed_at_ms limit ${limit} ${lockRowsSkippingLocked}`.execute(db)
    if (rows.length === 0) return 0
    const ids = sql.join(rows.map(({ id }) => id))
    for (const table of [
      'callback_attempts',
      'video_callbacks',
      'task_snapshots',
      'task_attempts',
      'task_groups',
    ])
      await sql`delete from ${sql.table(table)} where task_id in (${ids})`.execute(db)
    await sql`delete from video_tasks where id in (${ids})`.execute(db)
    await eraseClips(db, { where: sql`task_id in (${ids})`, reason: 'age' })
    return rows.length
  }),

  dropContentLinks: single(async (db, { beforeMs, limit }, { lockRowsSkippingLocked }) => {
    const { numAffectedRows } = await sql`
      with old as materialized (
        select id from video_tasks where sealed_content is not null and completed_at_ms < ${beforeMs}
        order by completed_at_ms limit ${limit} ${lockRowsSkippingLocked}
      )
      update video_tasks set sealed_content = null where id in (select id from old)`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }),

  dropAudits: single(async (db, { beforeMs, limit }, { lockRowsSkippingLocked }) => {
    const { numAffectedRows } = await sql`
      with old as materialized (
        select id from audit_events where entry_id is null and at_ms < ${beforeMs}
        order by at_ms limit ${limit} ${lockRowsSkippingLocked}
      )
      delete from audit_events where id in (select id from old)`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }),
} satisfies StatementsOf<RetentionStore>
