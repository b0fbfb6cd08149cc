import { sql } from 'kysely'
import type { Moved, TaskMove } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Db } from '../tables.ts'
import { TASK_COLUMNS_WITH_CONTENT, type TaskRowWithContent, toTaskWithContent } from './find-task.ts'
import { unlessWithheld } from './finish-move.ts'

/**
 * Most words on a task say what is known: one statement takes them in, and no transaction is needed. Undefined when the
 * word says something else. A succeeded task gets the fresh links of its content, and no other end is touched.
 */
export async function refreshTask(
  db: Db,
  { id, attempt, status, encryptedContent, atMs }: TaskMove,
): Promise<Moved | undefined> {
  const { rows } = await renew(db, { id, attempt, status, encryptedContent, atMs })
  return rows[0] === undefined ? undefined : { kind: 'unchanged', task: toTaskWithContent(rows[0]) }
}

const renew = hotStatement<
  Pick<TaskMove, 'id' | 'attempt' | 'status' | 'encryptedContent' | 'atMs'>,
  TaskRowWithContent
>(
  ({ id, attempt, status, encryptedContent, atMs }) => sql`
    update video_tasks set
      sealed_content = ${unlessWithheld(sql`coalesce(${encryptedContent}, sealed_content)`)},
      updated_at_ms = ${atMs}
    where id = ${id} and attempt = ${attempt} and status = ${status} and status in ('queued', 'running', 'succeeded')
    returning ${TASK_COLUMNS_WITH_CONTENT}`,
)
