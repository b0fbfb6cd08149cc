import { sql } from 'kysely'
import type { Moved, TaskMove } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Db } from '../tables.ts'
import { TASK_COLUMNS_WITH_CONTENT, type TaskRowWithContent, toTaskWithContent } from './find-task.ts'
import { unlessWithheld } from './finish-move.ts'

/**
 * Most snapshots of a task do not change its status: one statement stores them without a transaction. Returns undefined
 * when the status has changed. A succeeded task gets new links to its content; other ended tasks stay unchanged.
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
