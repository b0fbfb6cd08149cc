import { type Kysely, sql } from 'kysely'
import { CALLBACK_ATTEMPTS_MAX } from '../../../domain/video/callback-attempts.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'

interface NewCallback {
  id: string
  taskId: string
  organizationId: string
  atMs: number
}

/** Due at once. A second one of the same task is refused by a unique key. */
export async function insertCallback(db: Kysely<Tables>, callback: NewCallback): Promise<void> {
  await addCallback(db, callback)
}

const addCallback = hotStatement<NewCallback>(
  ({ id, taskId, organizationId, atMs }) => sql`
    insert into video_callbacks
      (id, task_id, organization_id, created_at_ms, state, attempts_allowed, next_attempt_at_ms)
    values (${id}, ${taskId}, ${organizationId}, ${atMs}, 'pending', ${CALLBACK_ATTEMPTS_MAX}, ${atMs})`,
)
