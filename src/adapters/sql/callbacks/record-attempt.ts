import { type Kysely, sql } from 'kysely'
import type { CallbackAttempt } from '../../../ports/callbacks.ts'
import type { Tables } from '../tables.ts'
import { UNKNOWN } from './unknown.ts'

interface Attempted {
  callbackId: string
  fence: number
  attempt: CallbackAttempt
  outcome: 'delivered' | 'given-up' | 'again'
  nextAttemptAtMs: number | null
}

export async function recordAttempt(
  db: Kysely<Tables>,
  { callbackId, fence, attempt, outcome, nextAttemptAtMs }: Attempted,
): Promise<void> {
  const state = outcome === 'again' ? 'pending' : outcome
  await sql`
    update video_callbacks set state = ${state}, next_attempt_at_ms = coalesce(${nextAttemptAtMs}, next_attempt_at_ms)
    where id = ${callbackId} and fence = ${fence} and state = 'pending'`.execute(db)
  await sql`
    insert into callback_attempts (task_id, attempt, at_ms, status, error)
    values (${attempt.taskId}, ${attempt.attempt}, ${attempt.atMs}, ${attempt.status}, ${attempt.error})
    on conflict (task_id, attempt) do update
    set at_ms = excluded.at_ms, status = excluded.status, error = excluded.error
    where callback_attempts.error = ${UNKNOWN}`.execute(db)
}
