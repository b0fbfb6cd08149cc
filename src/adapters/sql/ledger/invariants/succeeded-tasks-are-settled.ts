import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** A succeeded task has no expired hold. `tasksHaveOneEndOfTheirHold` finds its open and released holds. */
export const succeededTasksAreSettled = violationsOf(
  ({ limit }) => sql<{ id: string; hold_id: string }>`
    select video_tasks.id, holds.id as hold_id from video_tasks join holds on holds.task_id = video_tasks.id
    where video_tasks.status = 'succeeded' and holds.state = 'expired'
    order by video_tasks.id limit ${limit}`,
  ({ hold_id }) => `The task is succeeded and its hold ${hold_id} is expired, not settled.`,
)
