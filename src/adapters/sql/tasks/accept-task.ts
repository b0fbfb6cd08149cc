import { sql } from 'kysely'
import type { TaskStore } from '../../../ports/tasks.ts'
import { eraseClips } from '../clips/erase-clips.ts'
import { hotStatement } from '../hot-statement.ts'
import { type StatementsOf, write } from '../statement.ts'
import { TASK_COLUMNS_WITH_CONTENT } from './find-task.ts'
import {
  type ChangedTask,
  finishMove,
  type TaskChange,
  toChange,
  unchanged,
  unlessWithheld,
} from './finish-move.ts'

export const ACCEPT_TASK = {
  accept: write(async (db, acceptance, traits) => {
    const { move, encryptedTicket, nextPollAtMs } = acceptance
    const { rows } = await acceptTask(db, { ...toChange(move), encryptedTicket, nextPollAtMs })
    return rows[0] === undefined ? await unchanged(db, move.id) : await finishMove(db, rows[0], move, traits)
  }),

  /** Marks the task as deleted. The row stays, because the ledger refers to it. */
  remove: write(async (db, { id, keyId, atMs }) => {
    const { numAffectedRows } = await sql`
      update video_tasks set deleted_at_ms = ${atMs}
      where id = ${id} and api_key_id = ${keyId} and deleted_at_ms is null
        and status in ('succeeded', 'failed', 'cancelled')`.execute(db)
    if (numAffectedRows !== 1n) return false
    await eraseClips(db, { where: sql`task_id = ${id}`, reason: 'task' })
    return true
  }),
} satisfies Partial<StatementsOf<TaskStore>>

/**
 * Stores the response of the create call, and leaves `updated_at_ms`, the time of the last report, as it is. The fence
 * grows, so that a sweep that claimed the `submitting` task cannot postpone its first poll. A task that an earlier vendor
 * had begun does not return to `queued`. The request is kept while a stand-in may need it.
 */
const acceptTask = hotStatement<TaskChange & { encryptedTicket: string; nextPollAtMs: number }, ChangedTask>(
  (change) => sql`
    update video_tasks set
      status = case when status = 'running' and ${change.status} = 'queued' then status else ${change.status} end,
      sealed_ticket = ${change.encryptedTicket}, next_poll_at_ms = ${change.nextPollAtMs},
      fence = fence + 1, sealed_content = ${unlessWithheld(sql`${change.encryptedContent}`)}, error_code = ${change.errorCode},
      error_message = ${change.errorMessage}, completed_at_ms = ${change.completedAtMs},
      sealed_request = case when cast(${change.completedAtMs} as bigint) is null and stand_ins <> '[]' then sealed_request end
    where id = ${change.id} and attempt = ${change.attempt} and (status = 'submitting' or (
      status in ('queued', 'running') and attempt_at_ms is not null and sealed_ticket is null))
    returning ${TASK_COLUMNS_WITH_CONTENT}, (select id from holds where holds.task_id = video_tasks.id) as "holdId"`,
)
