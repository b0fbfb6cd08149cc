import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** Time after the deadline in which the worker `hold-reaper` has to end the hold of an ended or deleted task. */
const REAPER_GRACE_MS = 60_000
/** Grace for allowances and for holds of open tasks: while no server runs, they end only after the next start. */
const SERVER_OFF_GRACE_MS = 86_400_000

/** Leaves out demo organizations, because `fill-demo.ts` writes holds of the past month while a gateway checks. */
export const holdsEndByTheirDeadline = violationsOf(
  ({ nowMs, limit }) => sql<{ id: string; kind: string; late_seconds: string }>`
    select id, kind, cast((cast(${nowMs} as bigint) - expires_at_ms) / 1000 as text) as late_seconds from holds
    where state = 'open' and organization_id not in (select organization_id from demo_organizations) and (
      expires_at_ms < ${nowMs - SERVER_OFF_GRACE_MS}
      or (kind = 'task' and expires_at_ms < ${nowMs - REAPER_GRACE_MS} and not exists (
        select 1 from video_tasks
        where video_tasks.id = holds.task_id and video_tasks.status in ('submitting', 'queued', 'running')
      ))
    )
    order by expires_at_ms, id limit ${limit}`,
  ({ kind, late_seconds }) =>
    `The ${kind === 'task' ? 'hold' : 'allowance'} is open ${late_seconds} s after its deadline.`,
)
