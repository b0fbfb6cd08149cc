import { type Kysely, sql } from 'kysely'
import type { DayMove } from '../../../ports/ledger.ts'
import { hotStatement } from '../hot-statement.ts'
import { freeKey } from '../idempotency/free-key.ts'
import { releaseHold } from '../ledger/release-hold.ts'
import type { Tables } from '../tables.ts'
import { Undone } from '../undone.ts'

/** The key goes first, in the order that `begin-task.ts` explains, and comes back when the task may not go. */
export async function forgetTask(
  db: Kysely<Tables>,
  { id, atMs }: { id: string; atMs: number },
): Promise<DayMove | undefined> {
  await freeKey(db, { taskId: id })
  const { rows } = await deleteSubmitting(db, { id })
  const deleted = rows[0]
  if (deleted === undefined) throw new Undone(undefined)
  return deleted.hold_id === null ? undefined : await releaseHold(db, { holdId: deleted.hold_id, atMs })
}

const deleteSubmitting = hotStatement<{ id: string }, { hold_id: string | null }>(
  ({ id }) => sql`
    delete from video_tasks where id = ${id} and status = 'submitting'
    returning (select id from holds where holds.task_id = video_tasks.id) as hold_id`,
)
