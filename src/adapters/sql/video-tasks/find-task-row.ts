import { type Kysely, sql } from 'kysely'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'
import type { TaskRow } from './to-stored-task.ts'

/** Of anybody: only for who has come by its id in a way that no client can. */
export async function findTaskRow(db: Kysely<Tables>, id: string): Promise<TaskRow | undefined> {
  const { rows } = await selectTask(db, { id })
  return rows[0]
}

const selectTask = hotStatement<{ id: string }, TaskRow>(
  ({ id }) => sql`select * from video_tasks where id = ${id}`,
)
