import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ClaimedTask } from '../../../ports/tasks.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { TASK_COLUMNS, type TaskRow, toStoredTask } from './to-stored-task.ts'

interface Claim {
  provider: string
  nowMs: number
  leaseUntilMs: number
  limit: number
}

export async function claimDueTasks(
  db: Kysely<Tables>,
  claim: Claim,
  traits: EngineTraits,
): Promise<ClaimedTask[]> {
  const { rows } = await claimDueTasksQuery(claim, traits).execute(db)
  return rows.map((row) => ({ ...toStoredTask(row), fence: row.fence }))
}

/**
 * A claimed task is put off to the end of its lease: so it leaves the front of the index `video_tasks_due`, and is due
 * again by itself if its sweep dies. Materialized, because a planner that ran the inner select twice would lock more.
 */
export function claimDueTasksQuery(
  { provider, nowMs, leaseUntilMs, limit }: Claim,
  { lockFreeRows }: EngineTraits,
): RawBuilder<TaskRow & { fence: number }> {
  return sql`
    with due as materialized (
      select id from video_tasks
      where provider = ${provider} and status in ('submitting', 'queued', 'running') and next_poll_at_ms <= ${nowMs}
      order by next_poll_at_ms limit ${limit} ${lockFreeRows}
    )
    update video_tasks set next_poll_at_ms = ${leaseUntilMs}, fence = fence + 1
    where id in (select id from due) returning ${TASK_COLUMNS}, fence`
}
