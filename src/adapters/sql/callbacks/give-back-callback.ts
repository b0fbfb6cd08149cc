import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { UNKNOWN } from './unknown.ts'

/** As it was before the claim, but for its fence and its moment. */
export async function giveBackCallback(
  db: Kysely<Tables>,
  { callbackId, fence, nextAttemptAtMs }: { callbackId: string; fence: number; nextAttemptAtMs: number },
): Promise<void> {
  // The fence goes on, so that a second try of this very call finds nothing to give back.
  const { rows } = await sql<{ task_id: string; attempt_count: number }>`
    update video_callbacks set
      attempt_count = attempt_count - 1, next_attempt_at_ms = ${nextAttemptAtMs}, fence = fence + 1
    where id = ${callbackId} and fence = ${fence} and state = 'pending'
    returning task_id, attempt_count`.execute(db)
  const callback = rows[0]
  if (callback === undefined) return
  await sql`
    delete from callback_attempts
    where task_id = ${callback.task_id} and attempt = ${callback.attempt_count + 1} and error = ${UNKNOWN}`.execute(
    db,
  )
}
