import { type Kysely, sql } from 'kysely'
import type { StoredTask } from '../../../ports/tasks.ts'
import type { Tables } from '../tables.ts'
import { TASK_COLUMNS, type TaskRow, toStoredTask } from './to-stored-task.ts'

export async function findTaskByNotice(
  db: Kysely<Tables>,
  { tokenDigest }: { tokenDigest: string },
): Promise<StoredTask | undefined> {
  const { rows } = await sql<TaskRow>`
    select ${TASK_COLUMNS} from video_tasks where notice_token_digest = ${tokenDigest}`.execute(db)
  return rows[0] === undefined ? undefined : toStoredTask(rows[0])
}
