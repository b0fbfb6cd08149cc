import { sql } from 'kysely'
import { hotStatement } from '../hot-statement.ts'

/** The next request with the key of this task is a new one. */
export const freeKey = hotStatement<{ taskId: string }>(
  ({ taskId }) => sql`delete from idempotency_keys where task_id = ${taskId}`,
)
