import { sql } from 'kysely'
import type { TaskPosition, TaskStore } from '../../../ports/tasks.ts'
import { read, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'

export const LIST_TASKS = {
  /** Uses the index `video_tasks_listed`, so the cost of a page does not depend on its depth. */
  list: read(async (db, args) => {
    const rows = await listTasksQuery(db, args).execute()
    return rows.map((row) => ({
      id: row.id,
      model: row.alias ?? row.model,
      status: row.status,
      createdAtMs: row.created_at_ms,
      completedAtMs: row.completed_at_ms,
    }))
  }),
} satisfies Partial<StatementsOf<TaskStore>>

export interface ListTasksArgs {
  keyId: string
  after: TaskPosition | undefined
  limit: number
}

/** The status is a literal, so that planners match it with the condition of the index. */
export function listTasksQuery(db: Db, { keyId, after, limit }: ListTasksArgs) {
  const listed = db
    .selectFrom('video_tasks')
    .select(['id', 'model', 'alias', 'status', 'created_at_ms', 'completed_at_ms'])
    .where('api_key_id', '=', keyId)
    .where('deleted_at_ms', 'is', null)
    .where('status', '<>', sql.lit('submitting'))
  const page =
    after === undefined
      ? listed
      : listed.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at_ms', 'id'), '<', tuple(after.createdAtMs, after.id)),
        )
  return page.orderBy('created_at_ms', 'desc').orderBy('id', 'desc').limit(limit)
}
