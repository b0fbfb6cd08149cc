import { sql } from 'kysely'
import { hotStatement } from '../hot-statement.ts'
import type { Db } from '../tables.ts'
import { TASK_COLUMNS_WITH_CONTENT, type TaskRowWithContent } from './find-task.ts'

/** Searches all organizations, so the id must come from our own rows, never from a client. */
export async function findTaskRow(db: Db, id: string): Promise<TaskRowWithContent | undefined> {
  const { rows } = await selectTask(db, { id })
  return rows[0]
}

const selectTask = hotStatement<{ id: string }, TaskRowWithContent>(
  ({ id }) => sql`select ${TASK_COLUMNS_WITH_CONTENT} from video_tasks where id = ${id}`,
)
