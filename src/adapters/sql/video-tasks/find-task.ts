import { type Kysely, sql } from 'kysely'
import type { WholeTask } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'
import { toWholeTask, WHOLE_TASK_COLUMNS, type WholeTaskRow } from './to-stored-task.ts'

interface Question {
  id: string
  keyId: string
}

export async function findTask(db: Kysely<Tables>, question: Question): Promise<WholeTask | undefined> {
  const { rows } = await selectTask(db, question)
  return rows[0] === undefined ? undefined : toWholeTask(rows[0])
}

/** Of any organization: only for ids from our own rows. */
export async function findWholeTask(
  db: Kysely<Tables>,
  { id }: { id: string },
): Promise<WholeTask | undefined> {
  const { rows } = await sql<WholeTaskRow>`
    select ${WHOLE_TASK_COLUMNS} from video_tasks where id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : toWholeTask(rows[0])
}

/** A cancelled task was deleted by that, and is still shown to whoever polls for its end. */
const selectTask = hotStatement<Question, WholeTaskRow>(
  ({ id, keyId }) => sql`
    select ${WHOLE_TASK_COLUMNS} from video_tasks
    where id = ${id} and api_key_id = ${keyId} and status <> 'submitting'
      and (deleted_at_ms is null or status = 'cancelled')`,
)
