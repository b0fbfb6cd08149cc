import { type Kysely, sql } from 'kysely'
import { CALLBACK_ATTEMPTS_MAX } from '../../../domain/video/callback-attempts.ts'
import type { Tables } from '../tables.ts'

/** Whoever is sending it just now has an old fence from here on, and cannot end it. */
export async function resendCallback(
  db: Kysely<Tables>,
  { taskId, atMs }: { taskId: string; atMs: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update video_callbacks set
      state = 'pending', next_attempt_at_ms = ${atMs}, fence = fence + 1,
      attempts_allowed = attempt_count + ${CALLBACK_ATTEMPTS_MAX}
    where task_id = ${taskId}`.execute(db)
  return numAffectedRows === 1n
}
