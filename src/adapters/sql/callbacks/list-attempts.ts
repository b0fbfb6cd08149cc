import type { Kysely } from 'kysely'
import type { CallbackAttempt } from '../../../ports/callbacks.ts'
import type { Tables } from '../tables.ts'

export async function listAttempts(
  db: Kysely<Tables>,
  { taskId, limit }: { taskId: string | undefined; limit: number },
): Promise<CallbackAttempt[]> {
  const all = db.selectFrom('callback_attempts').select(['task_id', 'attempt', 'at_ms', 'status', 'error'])
  const latestFirst =
    taskId === undefined
      ? all.orderBy('at_ms', 'desc').orderBy('task_id', 'desc').orderBy('attempt', 'desc')
      : all.where('task_id', '=', taskId).orderBy('attempt', 'desc')
  const rows = await latestFirst.limit(limit).execute()
  return rows
    .toReversed()
    .map(({ task_id, at_ms, ...attempt }) => ({ taskId: task_id, atMs: at_ms, ...attempt }))
}
