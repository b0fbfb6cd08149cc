import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** An ended task that owes a callback has one. A unique key prevents a second one. */
export const endedTasksHaveTheirCallback = violationsOf(
  ({ limit }) => sql<{ id: string; status: string }>`
    select id, status from video_tasks
    where owes_callback and status in ('succeeded', 'failed', 'cancelled')
      and not exists (select 1 from video_callbacks where video_callbacks.task_id = video_tasks.id)
    order by id limit ${limit}`,
  ({ status }) => `The task is ${status}, owes a callback and has none.`,
)
