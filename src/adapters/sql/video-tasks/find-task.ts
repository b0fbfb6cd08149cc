import { type Kysely, sql } from 'kysely'
import type { StoredTask } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'
import { type TaskRow, toStoredTask } from './to-stored-task.ts'

interface Question {
  id: string
  keyId: string
}

export async function findTask(db: Kysely<Tables>, question: Question): Promise<StoredTask | undefined> {
  const { rows } = await selectTask(db, question)
  return rows[0] === undefined ? undefined : toStoredTask(rows[0])
}

/** A cancelled task was deleted by that, and is still shown to whoever polls for its end. */
const selectTask = hotStatement<Question, TaskRow>(
  ({ id, keyId }) => sql`
    select * from video_tasks
    where id = ${id} and api_key_id = ${keyId} and status <> 'submitting'
      and (deleted_at_ms is null or status = 'cancelled')`,
)
